/** React's way into the page: a module that the start can ask for by itself. */
export { createRoot } from "react-dom/client";
