import type { Language } from "@portal/contract/entities/user";
import type { AdminAlertKind, ExportedThing } from "@portal/contract/routes/notifications";

/** What became of a second factor. */
export type FactorChange = "setUp" | "removed" | "codeUsed";

/** The content of each kind of email. */
export type EmailContent =
  | { kind: "text"; name: string; bodies: string[] }
  | { kind: "missed-call"; name: string; at: Date; timeZone: string; transcription: string | null }
  | { kind: "meeting"; title: string; startsAt: Date; timeZone: string; link: string | null }
  | { kind: "admin-alert"; alert: AdminAlertKind }
  | {
      kind: "large-export";
      /** Null for the holder of a key. */
      name: string | null;
      what: ExportedThing;
      count: number;
      at: Date;
      timeZone: string;
    }
  | { kind: "email-changed" }
  | { kind: "password-changed" }
  | {
      kind: "new-device";
      address: string;
      /** Null if the browser is unknown. */
      browser: string | null;
      system: string | null;
      at: Date;
      timeZone: string;
    }
  | { kind: "second-factor"; change: FactorChange }
  | { kind: "password-link"; url: string; expiresAt: Date; timeZone: string };

interface Written {
  subject: string;
  lines: string[];
}

function clock(at: Date, timeZone: string, language: Language, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language === "es" ? "es-US" : "en-US", { ...style, timeZone }).format(at);
}

const timeOnly: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit", timeZoneName: "short" };
const dayAndTime: Intl.DateTimeFormatOptions = {
  ...timeOnly,
  weekday: "long",
  day: "numeric",
  month: "long",
};

const quoted = (text: string) => text.split(/\r?\n/).map((line) => `> ${line}`);

const exportedWords: Record<ExportedThing, Record<Language, string>> = {
  leads: { en: "leads", es: "prospectos" },
  calls: { en: "calls", es: "llamadas" },
  clients: { en: "clients", es: "clientes" },
  audit: { en: "entries of the audit", es: "entradas de la auditoría" },
  failed_rows: { en: "rows that an import left out", es: "filas que una importación dejó fuera" },
};

/** What is wrong and what to do about it, for administrators. */
const setupWords: Record<AdminAlertKind, Record<Language, [what: string, ...todo: string[]]>> = {
  google_api_off: {
    en: [
      "Google's Calendar API is not switched on",
      "Google answers that the Calendar API is off in the Cloud project of the portal's keys. Meetings wait, and go out by themselves, each once, when it is on.",
      "Switch it on here: https://console.cloud.google.com/apis/library/calendar-json.googleapis.com",
    ],
    es: [
      "La API de Calendar de Google no está activada",
      "Google responde que la API de Calendar está apagada en el proyecto de Cloud de las claves del portal. Las reuniones esperan y saldrán solas, una vez cada una, cuando esté activada.",
      "Actívala aquí: https://console.cloud.google.com/apis/library/calendar-json.googleapis.com",
    ],
  },
  google_domain_policy: {
    en: [
      "A Google Workspace does not let the portal in",
      "The administrators of a consultant's Google Workspace have switched off other apps for Calendar. Their meetings wait, and go out by themselves, each once, when the portal is let in.",
      "Ask them to trust the portal here: https://admin.google.com/ac/owl",
    ],
    es: [
      "Un Google Workspace no deja entrar al portal",
      "Los administradores del Google Workspace de un consultor han desactivado otras aplicaciones para Calendar. Sus reuniones esperan y saldrán solas, una vez cada una, cuando el portal pueda entrar.",
      "Pídeles que confíen en el portal aquí: https://admin.google.com/ac/owl",
    ],
  },
  crm_deletions_held: {
    en: [
      "Many contacts were deleted in GoHighLevel",
      "A full read of GoHighLevel stopped: far too many of our contacts do not exist there any more. No lead was marked.",
      "Look whether the location is the right one, then decide about them on the Integrations page.",
    ],
    es: [
      "Se eliminaron muchos contactos en GoHighLevel",
      "Una lectura completa de GoHighLevel se detuvo: demasiados de nuestros contactos ya no existen allí. No se marcó ningún prospecto.",
      "Comprueba que la ubicación sea la correcta y decide qué hacer con ellos en la página Integraciones.",
    ],
  },
  crm_lost: {
    en: [
      "The GoHighLevel app needs attention",
      "GoHighLevel no longer takes the portal's app: its token was refused or is not renewed, or the app was removed there. A private token serves meanwhile, where there is one; without it what waits is kept until then.",
      "The Integrations page says what to do.",
    ],
    es: [
      "La aplicación de GoHighLevel necesita atención",
      "GoHighLevel ya no acepta la aplicación del portal: rechazó su token o no lo renueva, o alguien la quitó. Mientras tanto se usa el token privado, si lo hay; sin él, lo que espera se conserva hasta entonces.",
      "La página Integraciones dice qué hacer.",
    ],
  },
  calls_not_connected: {
    en: [
      "Calls cannot be connected",
      "Five calls in a row under the portal's number could not be connected, and not by the fault of the numbers called. Sessions of the dialer are paused; each goes on when its consultant resumes it.",
      "Look at the voice geo permissions: https://console.twilio.com/us1/develop/voice/settings/geo-permissions",
      "Look whether the caller id still belongs to the account, or is verified: https://console.twilio.com/us1/develop/phone-numbers/manage/incoming",
      "Look whether it is a trial account, which calls verified numbers only, and at its balance: https://console.twilio.com/us1/billing",
    ],
    es: [
      "No se pueden conectar las llamadas",
      "Cinco llamadas seguidas con el número del portal no se pudieron conectar, y no por culpa de los números marcados. Las sesiones del marcador están en pausa; cada una sigue cuando su consultor la reanuda.",
      "Revisa los permisos geográficos de voz: https://console.twilio.com/us1/develop/voice/settings/geo-permissions",
      "Revisa que el número que se muestra siga siendo de la cuenta, o esté verificado: https://console.twilio.com/us1/develop/phone-numbers/manage/incoming",
      "Revisa si es una cuenta de prueba, que solo llama a números verificados, y su saldo: https://console.twilio.com/us1/billing",
    ],
  },
};

const factorWords: Record<FactorChange, Record<Language, [subject: string, text: string]>> = {
  setUp: {
    en: [
      "A second factor was set up",
      "A second factor was set up for your account. All other sessions were signed out.",
    ],
    es: [
      "Se configuró un segundo factor",
      "Se configuró un segundo factor en tu cuenta. Se cerraron todas las demás sesiones.",
    ],
  },
  removed: {
    en: ["A second factor was removed", "A second factor of your account was removed."],
    es: ["Se quitó un segundo factor", "Se quitó un segundo factor de tu cuenta."],
  },
  codeUsed: {
    en: [
      "A recovery code was used",
      "A recovery code of your account was used. New ones are made in your settings.",
    ],
    es: [
      "Se usó un código de recuperación",
      "Se usó un código de recuperación de tu cuenta. En tu configuración puedes crear otros nuevos.",
    ],
  },
};

function inEnglish(content: EmailContent, url: string): Written {
  const alarm = "If this was not you, tell your administrator at once.";
  switch (content.kind) {
    case "text": {
      const { name, bodies } = content;
      const subject =
        bodies.length === 1 ? `New text from ${name}` : `${bodies.length} new texts from ${name}`;
      return {
        subject,
        lines: [`${name} wrote:`, "", ...bodies.flatMap(quoted), "", `Answer here: ${url}/`],
      };
    }
    case "missed-call": {
      const at = clock(content.at, content.timeZone, "en", dayAndTime);
      const said = content.transcription ? ["", "The message:", "", ...quoted(content.transcription)] : [];
      return {
        subject: `Missed call from ${content.name}`,
        lines: [`${content.name} called on ${at}.`, ...said, "", `Call back here: ${url}/call-history`],
      };
    }
    case "meeting": {
      const at = clock(content.startsAt, content.timeZone, "en", timeOnly);
      return {
        subject: `Meeting at ${at}: ${content.title}`,
        lines: [
          `"${content.title}" begins at ${at}.`,
          ...(content.link ? ["", `Join: ${content.link}`] : []),
          "",
          `Your calendar: ${url}/calendar`,
        ],
      };
    }
    case "admin-alert": {
      const [subject, ...lines] = setupWords[content.alert].en;
      return { subject, lines: [...lines, "", `Diagnostics: ${url}/ghl-diagnostics`] };
    }
    case "large-export": {
      const who = content.name ?? "A program with a key";
      const what = `${content.count.toLocaleString("en-US")} ${exportedWords[content.what].en}`;
      const at = clock(content.at, content.timeZone, "en", dayAndTime);
      return {
        subject: `${who} exported ${what}`,
        lines: [
          `${who} exported ${what} on ${at}.`,
          "",
          `The audit has all that was done: ${url}/admin?tab=audit`,
        ],
      };
    }
    case "email-changed":
      return {
        subject: "Your sign-in address was changed",
        lines: ["Your account now signs in with another email address.", alarm],
      };
    case "password-changed":
      return {
        subject: "Your password was changed",
        lines: ["The password of your account was changed. All other sessions were signed out.", alarm],
      };
    case "new-device": {
      const { browser, system, address } = content;
      const what = [browser ?? "A browser", system && `on ${system}`].filter(Boolean).join(" ");
      return {
        subject: "A new browser signed in to your account",
        lines: [
          `${what} signed in to your account on ${clock(content.at, content.timeZone, "en", dayAndTime)}, from the address ${address}.`,
          alarm,
          "",
          `Your sessions, to be ended one by one: ${url}/settings`,
        ],
      };
    }
    case "second-factor": {
      const [subject, text] = factorWords[content.change].en;
      return { subject, lines: [text, alarm] };
    }
    case "password-link": {
      const until = clock(content.expiresAt, content.timeZone, "en", dayAndTime);
      return {
        subject: "Choose your password",
        lines: [
          "With this link you choose the password of your account:",
          "",
          content.url,
          "",
          `It works once, until ${until}. Give it to nobody.`,
        ],
      };
    }
  }
}

function inSpanish(content: EmailContent, url: string): Written {
  const alarm = "Si no fuiste tú, avisa a tu administrador de inmediato.";
  switch (content.kind) {
    case "text": {
      const { name, bodies } = content;
      const subject =
        bodies.length === 1 ? `Nuevo mensaje de ${name}` : `${bodies.length} mensajes nuevos de ${name}`;
      return {
        subject,
        lines: [`${name} escribió:`, "", ...bodies.flatMap(quoted), "", `Responde aquí: ${url}/`],
      };
    }
    case "missed-call": {
      const at = clock(content.at, content.timeZone, "es", dayAndTime);
      const said = content.transcription ? ["", "El mensaje:", "", ...quoted(content.transcription)] : [];
      return {
        subject: `Llamada perdida de ${content.name}`,
        lines: [`${content.name} llamó el ${at}.`, ...said, "", `Devuelve la llamada: ${url}/call-history`],
      };
    }
    case "meeting": {
      const at = clock(content.startsAt, content.timeZone, "es", timeOnly);
      return {
        subject: `Reunión a las ${at}: ${content.title}`,
        lines: [
          `"${content.title}" empieza a las ${at}.`,
          ...(content.link ? ["", `Unirse: ${content.link}`] : []),
          "",
          `Tu calendario: ${url}/calendar`,
        ],
      };
    }
    case "admin-alert": {
      const [subject, ...lines] = setupWords[content.alert].es;
      return { subject, lines: [...lines, "", `Diagnóstico: ${url}/ghl-diagnostics`] };
    }
    case "large-export": {
      const who = content.name ?? "Un programa con clave";
      const what = `${content.count.toLocaleString("es-US")} ${exportedWords[content.what].es}`;
      const at = clock(content.at, content.timeZone, "es", dayAndTime);
      return {
        subject: `${who} exportó ${what}`,
        lines: [
          `${who} exportó ${what} el ${at}.`,
          "",
          `La auditoría tiene todo lo que se hizo: ${url}/admin?tab=audit`,
        ],
      };
    }
    case "email-changed":
      return {
        subject: "Se cambió tu correo de acceso",
        lines: ["Tu cuenta ahora usa otro correo electrónico para iniciar sesión.", alarm],
      };
    case "password-changed":
      return {
        subject: "Se cambió tu contraseña",
        lines: ["Se cambió la contraseña de tu cuenta. Se cerraron todas las demás sesiones.", alarm],
      };
    case "new-device": {
      const { browser, system, address } = content;
      const what = [browser ?? "Un navegador", system && `en ${system}`].filter(Boolean).join(" ");
      return {
        subject: "Un navegador nuevo inició sesión en tu cuenta",
        lines: [
          `${what} inició sesión en tu cuenta el ${clock(content.at, content.timeZone, "es", dayAndTime)}, desde la dirección ${address}.`,
          alarm,
          "",
          `Tus sesiones, que puedes cerrar una por una: ${url}/settings`,
        ],
      };
    }
    case "second-factor": {
      const [subject, text] = factorWords[content.change].es;
      return { subject, lines: [text, alarm] };
    }
    case "password-link": {
      const until = clock(content.expiresAt, content.timeZone, "es", dayAndTime);
      return {
        subject: "Elige tu contraseña",
        lines: [
          "Con este enlace eliges la contraseña de tu cuenta:",
          "",
          content.url,
          "",
          `Funciona una sola vez, hasta el ${until}. No se lo des a nadie.`,
        ],
      };
    }
  }
}

/** Whether users can switch this kind of email off; those about the account itself are always sent. */
export function isNotification(kind: EmailContent["kind"]): boolean {
  return kind === "text" || kind === "missed-call" || kind === "meeting";
}

/** An email in its recipient's language: a subject of one line, plain text. */
export function writeEmail(
  content: EmailContent,
  reader: { name: string; language: Language; publicUrl: string },
): { subject: string; text: string } {
  const { language, publicUrl } = reader;
  const spanish = language === "es";
  const { subject, lines } = (spanish ? inSpanish : inEnglish)(content, publicUrl);
  const why = spanish
    ? `Recibes este correo porque las notificaciones por correo están activadas en tu configuración: ${publicUrl}/settings`
    : `You get this because email notifications are on in your settings: ${publicUrl}/settings`;
  const text = [
    `${spanish ? "Hola" : "Hello"} ${reader.name},`,
    "",
    ...lines,
    ...(isNotification(content.kind) ? ["", "--", why] : []),
  ];
  return { subject: subject.replace(/\s+/g, " ").trim(), text: `${text.join("\n")}\n` };
}
