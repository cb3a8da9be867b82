import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import { limits } from "@portal/contract/limits";
import { getCurrentUser, type SignInOptions } from "@portal/contract/routes/auth";
import { listCallLogs } from "@portal/contract/routes/calls";
import { listLeads } from "@portal/contract/routes/leads";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerNotFound } from "./error-handler.ts";
import type { SessionReader } from "./session.ts";

/** Escapes a text for an attribute in double quotes. */
function attributeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Reads the list of the first screens' files from the web's build (apps/web/vite.config.ts); empty for another build. */
async function readBuildFile<T>(root: string, file: string): Promise<Partial<T>> {
  return JSON.parse(await readFile(path.join(root, file), "utf8").catch(() => "{}"));
}

type Screen = "signIn" | "leads" | "desk" | "none";

/** What to preload for an address: its screen's files, its first requests, and its skeleton. */
function firstScreenOf(
  url: string,
  hasSession: boolean | null,
): { files: "signIn" | "desk"; reads: string[]; skeleton: Screen } {
  const [pathname = "/", search] = url.split("?");
  if (pathname === "/choose-password" || hasSession === null)
    return { files: "signIn", reads: [], skeleton: "none" };
  if (!hasSession) return { files: "signIn", reads: [], skeleton: "signIn" };
  const reads = [getCurrentUser.path];
  if (pathname.startsWith("/admin")) return { files: "desk", reads, skeleton: "none" };
  const isLeads = pathname === "/" || pathname === "/dashboard";
  // The calls without an outcome, which are above the leads.
  if (isLeads) reads.push(`${listCallLogs.path}?needsOutcome=true&limit=${limits.pageSize}`);
  // With filters in the address only the browser knows the request.
  if (isLeads && search === undefined) reads.push(`${listLeads.path}?limit=${limits.pageSize}`);
  return { files: "desk", reads, skeleton: isLeads ? "leads" : "desk" };
}

/** Preload links for the files and API responses that the first screen needs. The requests match those of the page (`lib/api`), so that each is
 * fetched once. */
function preloadsOf({ files, reads }: { files: string[]; reads: string[] }): string {
  return [
    ...files.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`),
    ...reads.map((path) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`),
  ].join("");
}

/**
 * Serves the built web: hashed files are cached for ever, the page never. The page carries the SHA-256 of the administrator's address, by
 * which the browser chooses the route to sign in; whether this is a demo; whether there is a session, so that a visitor sees the sign-in
 * without a request for the user; what the sign-in offers; and what the first screen preloads.
 */
export async function registerWeb(
  app: FastifyInstance,
  options: {
    root: string;
    adminEmail: string;
    demo: boolean;
    /** When off, the service worker's path serves a script that unregisters it. */
    portalWorker: boolean;
    signInOptions: SignInOptions;
    readSession: SessionReader;
  },
): Promise<void> {
  const template = await readFile(path.join(options.root, "index.html"), "utf8").catch(() => null);
  const page = template
    ?.replaceAll("__ADMIN_EMAIL_SHA256__", createHash("sha256").update(options.adminEmail).digest("hex"))
    .replaceAll("__DEMO_MODE__", String(options.demo))
    .replaceAll("__PORTAL_WORKER__", options.portalWorker ? "on" : "off")
    // A replacer function, because a replacement string would interpret dollar signs.
    .replaceAll("__SIGN_IN_OPTIONS__", () => attributeText(JSON.stringify(options.signInOptions)));
  const firstFiles = await readBuildFile<Record<"signIn" | "desk", string[]>>(
    options.root,
    "first-files.json",
  );

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!page) return answerNotFound(request, reply);
    // Without a database the session is unknown: the browser asks for it and shows the failure. If the second factor is still needed, the
    // browser also asks what to show.
    const hasSession = await options.readSession(request, reply).then(
      (session) => (session?.pending ? null : Boolean(session)),
      () => null,
    );
    const { files, reads, skeleton } = firstScreenOf(request.url, hasSession);
    const html = page
      .replace("__HAS_SESSION__", String(hasSession ?? "unknown"))
      .replace("__FIRST_SCREEN__", skeleton)
      .replace("<!--first-screen-->", () => preloadsOf({ files: firstFiles[files] ?? [], reads }));
    return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(html);
  };

  if (page) {
    app.get("/", { schema: { hide: true } }, sendPage);
    if (!options.portalWorker)
      app.get("/portal-worker.js", { schema: { hide: true } }, (_request, reply) =>
        reply.sendFile("portal-worker-off.js"),
      );
    await app.register(fastifyStatic, {
      root: options.root,
      index: false,
      // One wildcard route, because a route for each file slows every start.
      wildcard: true,
      dotfiles: "ignore",
      preCompressed: true,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }

  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === "GET" || request.method === "HEAD";
    const isPage = reads && !request.url.startsWith("/api/") && request.url !== "/api";
    const isFile = path.extname(request.url.split("?")[0] ?? "") !== "";
    return isPage && !isFile ? sendPage(request, reply) : answerNotFound(request, reply);
  });
}
