import { defineMessages } from "../../../lib/i18n.ts";

/** Messages of the bars of live calls. */
export const callBarMessages = defineMessages("call-bars", {
  liveNow: ["Live call", "Llamada en curso"],
  endingNow: ["Ending the call…", "Terminando la llamada…"],
  liveBar: ["Live call with {name}", "Llamada en curso con {name}"],
  inboundRings: ["Is calling: answer your phone and press 1", "Te llama: contesta tu teléfono y pulsa 1"],
  standInRings: [
    "Calls for {name}: answer your phone and press 1",
    "Llama a {name}: contesta tu teléfono y pulsa 1",
  ],
  standInTalks: ["Incoming call for {name}", "Llamada entrante para {name}"],
  inboundTalks: ["Incoming call", "Llamada entrante"],
  inboundBar: ["Incoming call from {name}", "Llamada entrante de {name}"],
  officeRings: ["Rings the office line", "Suena en la línea de la oficina"],
  officeTalks: ["On the office line", "En la línea de la oficina"],
  withheld: ["Withheld number", "Número oculto"],
  inboundHistory: ["History", "Historial"],
});
