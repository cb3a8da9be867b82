import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { SignInOptions } from "@portal/contract/routes/auth";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerNotFound } from "./error-handler.ts";
import type { SessionReader } from "./session.ts";

/** A text as the value of an attribute in double quotes. */
function attributeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Tags for the files that everybody needs who is signed in (apps/web/vite.config), as far as the page does not name them itself. */
async function deskLinks(root: string, page: string): Promise<string> {
  const text = await readFile(path.join(root, "desk-files.json"), "utf8").catch(() => "[]");
  const files = (JSON.parse(text) as string[]).filter((file) => !page.includes(file));
  return files.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`).join("");
}

/**
 * Serves the built web: hashed files are kept for ever, the page itself is asked for anew each time. The page carries the SHA-256
 * of the administrator's address, so that the browser can choose the recorded call, whether this is a demo, and whether there is a session, so that a visitor's
 * browser shows the sign-in without asking for a user first; and what the sign-in offers.
 */
export async function registerWeb(
  app: FastifyInstance,
  options: {
    root: string;
    adminEmail: string;
    demo: boolean;
    signInOptions: SignInOptions;
    readSession: SessionReader;
  },
): Promise<void> {
  const template = await readFile(path.join(options.root, "index.html"), "utf8").catch(() => null);
  const page = template
    ?.replaceAll("__ADMIN_EMAIL_SHA256__", createHash("sha256").update(options.adminEmail).digest("hex"))
    .replaceAll("__DEMO_MODE__", String(options.demo))
    // A function: what it answers is put in as it is, dollar signs included.
    .replaceAll("__SIGN_IN_OPTIONS__", () => attributeText(JSON.stringify(options.signInOptions)));
  const links = page && (await deskLinks(options.root, page));

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!page) return answerNotFound(request, reply);
    // Without a database nobody can tell; the browser then asks and shows the failure.
    const hasSession = await options.readSession(request, reply).then(Boolean, () => "unknown");
    const html = page
      .replace("__HAS_SESSION__", String(hasSession))
      .replace("</head>", `${hasSession === true ? links : ""}</head>`);
    return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(html);
  };

  if (page) {
    app.get("/", { schema: { hide: true } }, sendPage);
    await app.register(fastifyStatic, {
      root: options.root,
      index: false,
      // One route for all files: a route for each makes every start slower.
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
