import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** An email as the mail server received it: headers and text decoded as far as the tests look at them. */
export interface ReceivedEmail {
  from: string;
  to: string[];
  subject: string;
  /** All of it, as it came. */
  raw: string;
  text: string;
}

export interface Mailbox {
  port: number;
  emails: ReceivedEmail[];
  /** Answers the next email with this SMTP code instead of accepting it. */
  refuseNext(code: number): void;
  close(): Promise<void>;
}

const login = { user: "portal", password: "smtp-canary-secret" };
export const mailboxLogin = login;

function decodeHeader(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, data: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(data, "base64").toString()
        : quotedPrintable(data.replaceAll("_", " ")),
    );
}

function quotedPrintable(data: string): string {
  const bytes = data
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

function read(raw: string, from: string, to: string[]): ReceivedEmail {
  const split = raw.indexOf("\r\n\r\n");
  const head = raw.slice(0, split).replace(/\r\n[ \t]+/g, " ");
  const body = raw.slice(split + 4);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1] ?? "";
  const encoding = header("content-transfer-encoding").toLowerCase();
  const text =
    encoding === "base64"
      ? Buffer.from(body, "base64").toString()
      : encoding === "quoted-printable"
        ? quotedPrintable(body)
        : body;
  return { from, to, subject: decodeHeader(header("subject")), raw, text: text.replace(/\r\n/g, "\n") };
}

/** A real mail server that accepts emails from anyone who logs in. */
export async function openMailbox(): Promise<Mailbox> {
  const emails: ReceivedEmail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth({ username, password }, _session, done) {
      const good = username === login.user && password === login.password;
      done(good ? null : new Error("Invalid login"), good ? { user: username } : undefined);
    },
    onRcptTo(_address, _session, done) {
      const code = refusals.shift();
      done(code === undefined ? null : Object.assign(new Error("refused"), { responseCode: code }));
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        emails.push(
          read(
            Buffer.concat(parts).toString(),
            from,
            envelope.rcptTo.map(({ address }) => address),
          ),
        );
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    emails,
    refuseNext: (code) => void refusals.push(code),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
