// Forms about the account: sent once, what is typed can be looked at, recovery words can be copied.

import { find } from "./dom.js";

function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  // A page that the Back button brings again may be sent again.
  addEventListener("pageshow", () => delete form.dataset.sent);
}

function letLook(box) {
  const field = box.querySelector("input"), button = box.querySelector(".reveal");
  const show = (visible) => {
    field.type = visible ? "text" : "password";
    button.setAttribute("aria-pressed", String(visible));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    show(field.type === "password");
    field.focus();
  });
  // Browsers keep passwords from fields of that type alone.
  field.form.addEventListener("submit", () => show(false));
}

function letCopy(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const words = [...find("words").children].map((word) => word.textContent).join(" ");
    let said = button.dataset.copied;
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      said = button.dataset.failed;
    }
    find("copy-said").textContent = said;
  });
}

document.querySelectorAll("form[method=post]").forEach(sendOnce);
document.querySelectorAll("[data-secret]").forEach(letLook);
if (find("copy")) letCopy(find("copy"));
