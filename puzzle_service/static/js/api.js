// Talks to the server in JSON. A move of a puzzle keeps its id through every retry, so nothing is spent twice.

const PATIENCE = 15000; // milliseconds before a silent server counts as unreachable
const PAUSE = 5; // seconds to wait for a busy server that does not say how long
const BUSY = [429, 503];

/** A random UUID (version 4), also where randomUUID is missing because the page came over plain http. */
export function requestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Posts a value. Resolves to one of
 *   { kind: "answer", body }                  the server has done it, or has judged it
 *   { kind: "unreachable" }                   no answer: the same request may be sent again
 *   { kind: "failed" }                        the server is in trouble: the same request may be sent again
 *   { kind: "busy", seconds, message }        too much at once: the same request may be sent again after that
 *   { kind: "refused", message, body }        the server will not take it
 * An aborted `signal` makes it unreachable; so do `patience` milliseconds of silence.
 */
export async function post(address, value, { signal, patience = PATIENCE } = {}) {
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, patience);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    return await exchange(address, value, stop.signal);
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** One request and its answer; throws when there is none. */
async function exchange(address, value, signal) {
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "X-CSRFToken": document.querySelector('meta[name="csrf-token"]').content,
    },
    body: JSON.stringify(value),
    signal,
  });
  const body = await response.json().catch((error) => {
    if (response.ok || signal.aborted) throw error;
    return {};
  });
  const message = body.error?.message ?? "";
  if (response.ok) return { kind: "answer", body };
  if (BUSY.includes(response.status)) {
    return { kind: "busy", seconds: Number(response.headers.get("Retry-After")) || PAUSE, message };
  }
  return response.status >= 500 ? { kind: "failed" } : { kind: "refused", message, body };
}

/** Posts a move of a puzzle: resolves to { kind: "answer", answer }, a verdict (also the 409 after the end), or as `post` does. */
export async function postMove(address, request) {
  const result = await post(address, request);
  if (result.body?.verdict) return { kind: "answer", answer: result.body };
  return result.kind === "answer" ? { kind: "refused", message: "" } : result;
}
