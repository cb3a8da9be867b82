/** Why an SMS was not delivered, by the provider's error code, in English and Spanish (twilio.com/docs/api/errors). */
export const smsFailures: Readonly<Record<number, readonly [en: string, es: string]>> = {
  21211: [
    "This is not a number that can be texted. Correct it first.",
    "A este número no se le puede escribir. Corrígelo primero.",
  ],
  21408: [
    "Texts to this country are not enabled. Tell an administrator.",
    "Los mensajes a este país no están habilitados. Avisa a un administrador.",
  ],
  21606: [
    "The shared system number cannot send texts. Tell an administrator.",
    "El número compartido del sistema no puede enviar mensajes. Avisa a un administrador.",
  ],
  21608: [
    "This number is not verified for the trial account. Tell an administrator.",
    "Este número no está verificado para la cuenta de prueba. Avisa a un administrador.",
  ],
  21610: ["They asked not to get texts any more.", "La persona pidió no recibir más mensajes."],
  21612: [
    "Texts from the shared system number do not reach this number. Call instead.",
    "Los mensajes del número compartido del sistema no llegan a este número. Mejor llama.",
  ],
  21614: [
    "This is not a mobile number: it cannot get texts. Call instead.",
    "No es un número móvil: no puede recibir mensajes. Mejor llama.",
  ],
  21617: ["The text is too long.", "El mensaje es demasiado largo."],
  30001: [
    "Too many texts are waiting at the provider. Send it again later.",
    "Hay demasiados mensajes en espera en el proveedor. Envíalo más tarde.",
  ],
  30002: [
    "The telephony account is suspended. Tell an administrator.",
    "La cuenta de telefonía está suspendida. Avisa a un administrador.",
  ],
  30003: [
    "The phone cannot be reached: it is off or has no signal.",
    "No se puede alcanzar el teléfono: está apagado o sin señal.",
  ],
  30004: [
    "The recipient or their carrier blocks this text.",
    "El destinatario o su operador bloquea este mensaje.",
  ],
  30005: ["This number is not in service.", "Este número no está en servicio."],
  30006: [
    "This is a landline, or its carrier takes no texts. Call instead.",
    "Es un teléfono fijo o su operador no acepta mensajes. Mejor llama.",
  ],
  30007: [
    "The carrier filtered the text as unwanted. Write it differently.",
    "El operador filtró el mensaje como no deseado. Escríbelo de otra forma.",
  ],
  30008: [
    "The carrier did not deliver the text and gives no reason.",
    "El operador no entregó el mensaje y no da el motivo.",
  ],
  30034: [
    "The shared system number is not registered for texts in the United States. Tell an administrator.",
    "El número compartido del sistema no está registrado para mensajes en Estados Unidos. Avisa a un administrador.",
  ],
};

/** For codes without their own text, and failures without a code. */
export const smsFailureUnknown = [
  "The text was not delivered. You can send it again.",
  "El mensaje no se entregó. Puedes enviarlo otra vez.",
] as const;
