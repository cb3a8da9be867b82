/** Texts of notes, SMS and voicemails. `{name}` is the lead's first name, `{rep}` the consultant's. */

type Bilingual = Record<"en" | "es", readonly string[]>;

export const notes: Record<
  "interested" | "qualified" | "not_interested" | "contacted" | "converted" | "voicemail" | "wrong_number",
  Bilingual
> = {
  contacted: {
    en: [
      "Short call, was driving. Asked me to try again later this week.",
      "Confirmed the email address. Wants to read the brochure first.",
      "Talked about what they use now. Not the one who decides, partner is.",
      "Busy with customers. Prefers a call early in the morning.",
    ],
    es: [
      "Llamada corta, iba manejando. Pidió que la llame más tarde esta semana.",
      "Confirmó el correo. Quiere leer el folleto primero.",
      "Hablamos de lo que usan ahora. Decide con su socio.",
      "Estaba con clientes. Prefiere una llamada temprano por la mañana.",
    ],
  },
  interested: {
    en: [
      "Likes the idea of everything in one place. Asked for prices.",
      "Two locations, about nine employees. Wants to see it working.",
      "Compares us with another vendor; ours is easier for the team. Send the comparison.",
      "Asked whether it works in Spanish. It does; sending examples.",
    ],
    es: [
      "Le gusta tener todo en un solo lugar. Pidió precios.",
      "Dos locales, unos nueve empleados. Quiere verlo funcionando.",
      "Nos compara con otro proveedor; lo nuestro le parece más sencillo. Enviar la comparación.",
      "Preguntó si funciona en español. Sí; le mando ejemplos.",
    ],
  },
  qualified: {
    en: [
      "Budget is approved, start next month. Wants a proposal with two options.",
      "Decides alone. Needs it before the season starts.",
      "Went through the numbers together. Only the contract length is open.",
    ],
    es: [
      "Presupuesto aprobado, empezarían el próximo mes. Quiere una propuesta con dos opciones.",
      "Decide sola. Lo necesita antes de la temporada alta.",
      "Revisamos los números juntos. Solo falta definir la duración del contrato.",
    ],
  },
  converted: {
    en: [
      "Signed. Start next Monday, welcome call with the whole team.",
      "Said yes on the phone, paid the first month.",
    ],
    es: [
      "Firmó. Empieza el lunes, llamada de bienvenida con todo el equipo.",
      "Dijo que sí por teléfono y pagó el primer mes.",
    ],
  },
  not_interested: {
    en: [
      "Happy with the present provider, contract runs two more years.",
      "Too expensive for a business of that size.",
    ],
    es: [
      "Contento con su proveedor, le quedan dos años de contrato.",
      "Muy caro para un negocio de su tamaño.",
    ],
  },
  voicemail: {
    en: ["Left a message with my number.", "Voicemail, message left. Text sent as well."],
    es: ["Dejé mensaje con mi número.", "Buzón de voz, dejé mensaje. También le escribí."],
  },
  wrong_number: {
    en: ["Somebody else's number, does not know the company."],
    es: ["El número es de otra persona, no conoce la empresa."],
  },
};

export const messagesAfterMiss: Bilingual = {
  en: [
    "Hi {name}, this is {rep}. I just tried to reach you about your request. When is a good time to talk?",
    "Hello {name}, {rep} here. Sorry I missed you. You can answer this text or call me back at this number.",
  ],
  es: [
    "Hola {name}, le habla {rep}. Acabo de llamarle por su solicitud. ¿A qué hora le queda bien que hablemos?",
    "Hola {name}, soy {rep}. No logré encontrarle. Puede responder a este mensaje o llamarme a este número.",
  ],
};

export const messagesAfterTalk: Bilingual = {
  en: [
    "Thanks for your time today, {name}. I will send the details by email and call you as agreed. {rep}",
    "Good talking to you, {name}! The brochure is on its way. {rep}",
  ],
  es: [
    "Gracias por su tiempo hoy, {name}. Le mando los detalles por correo y le llamo como acordamos. {rep}",
    "¡Un gusto hablar con usted, {name}! Ya le envié el folleto. {rep}",
  ],
};

export const replies: Bilingual = {
  en: [
    "Tomorrow after 4 works for me",
    "Hi, can you send me the prices first?",
    "Who gave you my number?",
    "Yes, still interested. I was in a meeting.",
    "Thank you, got it!",
    "Call me Thursday morning please",
  ],
  es: [
    "Mañana después de las 4 me queda bien",
    "Hola, ¿me puede mandar los precios primero?",
    "Sí, todavía me interesa. Estaba en una reunión.",
    "Gracias, ya lo recibí",
    "Llámeme el jueves por la mañana por favor",
    "¿Trabajan también los sábados?",
  ],
};

export const answersToReplies: Bilingual = {
  en: [
    "Perfect, talk to you then!",
    "Of course, I am sending it right now.",
    "Noted. Have a good day, {name}!",
  ],
  es: [
    "¡Perfecto, hablamos entonces!",
    "Claro, se lo mando ahora mismo.",
    "Anotado. ¡Que tenga buen día, {name}!",
  ],
};

export const unreadTexts: Bilingual = {
  en: [
    "Can we move our call to the afternoon?",
    "I talked to my partner and we want to go ahead. What is next?",
  ],
  es: ["¿Podemos pasar la llamada a la tarde?", "Ya hablé con mi socio y queremos seguir. ¿Qué sigue?"],
};

export const stops: Bilingual = { en: ["STOP", "Stop"], es: ["STOP", "Stop"] };

/** SMS of unknown people: two wait, one was not a lead. */
export const strangerMessages = {
  waiting: [
    "Hola, vi su anuncio en Facebook. ¿Me pueden llamar para saber los precios?",
    "Hi, my neighbor Pete gave me this number. Do you also serve restaurants?",
  ],
  dismissed: "Your package is held at the warehouse. Reply YES to confirm the address.",
};

/** The provider's automatic reply to STOP. */
export const stopReply =
  "You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.";

export const voicemails: Bilingual = {
  en: [
    "Hi, this is {name}, returning your call. I am at the shop until six, so please try me again. Thanks.",
    "Hello {rep}, {name} here. I looked at the proposal and I have two questions. Call me when you can.",
  ],
  es: [
    "Hola, habla {name}. Vi que me llamaron. Estoy en el negocio hasta las seis, llámeme por favor.",
    "Buenas, soy {name}. Ya revisé la propuesta y tengo dos preguntas. Quedo pendiente de su llamada.",
  ],
};

export const meetingTitles: Bilingual = {
  en: ["Product demo with {name}", "Proposal with {name}", "Follow-up call with {name}"],
  es: ["Demostración con {name}", "Propuesta para {name}", "Llamada de seguimiento con {name}"],
};

export const leadNotes: Bilingual = {
  en: [
    "Prefers to be called in the morning.",
    "Owner; the brother does the books.",
    "Met at the fair, wants Spanish.",
  ],
  es: [
    "Prefiere que le llamen por la mañana.",
    "Es la dueña; el hermano lleva las cuentas.",
    "Habla solo español.",
  ],
};

/** Inserts the names into a text. */
export function say(text: string, names: { name: string; rep?: string }): string {
  return text.replaceAll("{name}", names.name).replaceAll("{rep}", names.rep ?? "");
}
