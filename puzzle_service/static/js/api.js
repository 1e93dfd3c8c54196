// Talks to the server: one POST for a move. A request keeps its id through every retry, so nothing is spent twice.

const PATIENCE = 15000; // milliseconds before a silent server counts as unreachable

/** A random UUID (version 4), also where randomUUID is missing because the page came over plain http. */
export function requestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Posts a move. Resolves to one of
 *   { kind: "answer", answer }     a verdict, also the 409 after the end
 *   { kind: "unreachable" }        no answer: the same request may be sent again
 *   { kind: "failed" }             the server is in trouble: the same request may be sent again
 *   { kind: "refused", message }   the server will not take it from this page
 */
export async function postMove(address, request) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": document.querySelector('meta[name="csrf-token"]').content,
      },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    return { kind: "unreachable" };
  }
  let body;
  try {
    body = await response.json();
  } catch {
    return { kind: response.ok ? "unreachable" : "failed" };
  }
  if (body.verdict) return { kind: "answer", answer: body };
  if (response.status >= 500) return { kind: "failed" };
  return { kind: "refused", message: body.error?.message ?? "" };
}
