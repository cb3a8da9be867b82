import { type ReadLeads, readSource } from "./read-source.ts";
import type { WorkerAnswer, WorkerRequest } from "./use-source.ts";
import { importBody } from "./write-body.ts";

let read: ReadLeads | null = null;

function answer(request: WorkerRequest): WorkerAnswer {
  if (request.kind === "body")
    return { kind: "body", body: read ? importBody(read, request.options) : new Blob() };
  const result = readSource(request.source, request.format, request.chosen);
  if ("excerpt" in result) return { kind: "undecided", excerpt: result.excerpt };
  if ("fault" in result) return { kind: "fault", fault: result.fault };
  read = result;
  return { kind: "look", look: result.look };
}

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  postMessage(answer(data));
});
