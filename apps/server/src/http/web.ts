import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import { limits } from "@portal/contract/limits";
import { getCurrentUser, type SignInOptions } from "@portal/contract/routes/auth";
import { listLeads } from "@portal/contract/routes/leads";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerNotFound } from "./error-handler.ts";
import type { SessionReader } from "./session.ts";

/** A text as the value of an attribute in double quotes. */
function attributeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** What the web's build tells of the first screens (apps/web/vite.config.ts); nothing where it is none of ours. */
async function toldByBuild<T>(root: string, file: string): Promise<Partial<T>> {
  return JSON.parse(await readFile(path.join(root, file), "utf8").catch(() => "{}"));
}

/** What an address begins with: files, what its screen will ask for, and an outline, where one looks like it. */
function firstScreenOf(
  url: string,
  { hasSession, demo, signIn }: { hasSession: boolean | null; demo: boolean; signIn: string },
) {
  const [pathname = "/", search] = url.split("?");
  if (pathname === "/choose-password" || hasSession === null) return { files: "signIn", reads: [] } as const;
  if (!hasSession) {
    // The sign-in then begins with a message that no outline has.
    const hasMessage = /(^|&)(login_error|google)=/.test(search ?? "");
    return { files: "signIn", reads: [], outline: hasMessage ? undefined : signIn } as const;
  }
  const reads = [getCurrentUser.path];
  if (pathname.startsWith("/admin")) return { files: "desk", reads } as const;
  const isLeads = pathname === "/" || pathname === "/dashboard";
  // With filters the browser alone knows what will be asked for.
  if (isLeads && search === undefined) reads.push(`${listLeads.path}?limit=${limits.pageSize}`);
  const outline = demo ? (isLeads ? "demoLeads" : "demoDesk") : isLeads ? "leads" : "desk";
  return { files: "desk", reads, outline } as const;
}

/**
 * Serves the built web: hashed files are kept for ever, the page itself is asked for anew each time. The page carries the SHA-256
 * of the administrator's address, so that the browser can choose the recorded call, whether this is a demo, and whether there is a session, so that a visitor's
 * browser shows the sign-in without asking for a user first; what the sign-in offers; and the outline of the screen that is to come.
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
  const firstFiles = await toldByBuild<Record<"signIn" | "desk", string[]>>(options.root, "first-files.json");
  const outlines = await toldByBuild<Record<string, string>>(options.root, "first-paints.json");

  const { password, provider } = options.signInOptions;
  const signIn = password ? (provider ? "bothSignIn" : "passwordSignIn") : "providerSignIn";

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!page) return answerNotFound(request, reply);
    // Without a database nobody can tell; the browser then asks and shows the failure.
    const hasSession = await options.readSession(request, reply).then(Boolean, () => null);
    const screen = firstScreenOf(request.url, { hasSession, demo: options.demo, signIn });
    const html = page
      .replace("__HAS_SESSION__", String(hasSession ?? "unknown"))
      .replace("__FIRST_FILES__", (firstFiles[screen.files] ?? []).join(" "))
      .replace("__FIRST_READS__", screen.reads.join(" "))
      .replace("<!--first-paint-->", () => (screen.outline && outlines[screen.outline]) ?? "");
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
