import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyRequest } from "fastify";

const bodyLimit = 64 * 1024;

/** Form fields of a request; a repeated field is an array. */
export type FormParams = Record<string, string | string[]>;

export function formParams(request: FastifyRequest): FormParams {
  return (request.body ?? {}) as FormParams;
}

/** Removes U+0000, which jsonb cannot store; the signature covers the fields as received. */
function storable(params: FormParams): FormParams {
  const clean = (text: string) => text.replaceAll("\u0000", "");
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      clean(name),
      Array.isArray(value) ? value.map(clean) : clean(value),
    ]),
  );
}

const idMax = 2_147_483_647;

/** The id of our own row in the callback address, or null. */
export function addressId(request: FastifyRequest, name: string): number | null {
  const value = (request.query as Record<string, unknown>)[name];
  const id = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : 0;
  return id > 0 && id <= idMax ? id : null;
}

/**
 * A scope for a provider's requests: only forms, each signed over the public address and all fields. A request without a signature is
 * refused before its body is read. Errors: `signature_invalid`, `rate_limited`.
 */
export async function registerSignedForms(
  app: FastifyInstance,
  options: {
    publicUrl: string;
    isSigned: (input: { signature: string; url: string; params: FormParams }) => boolean;
  },
  register: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody, { bodyLimit });
    scope.addHook("onRequest", async (request) => {
      if (!request.headers["x-twilio-signature"]) throw await app.refuseSignature(request);
    });
    scope.addHook("preValidation", async (request) => {
      const signature = String(request.headers["x-twilio-signature"]);
      const url = `${options.publicUrl}${request.raw.url}`;
      const params = formParams(request);
      if (!options.isSigned({ signature, url, params })) throw await app.refuseSignature(request);
      request.body = storable(params);
    });
    register(scope);
  });
}
