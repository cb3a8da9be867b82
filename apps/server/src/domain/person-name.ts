import { memoize } from "./memoize.ts";

const alwaysSpanish =
  "María José Sofía Lucía Mónica Verónica Bárbara Rocío Belén Inés Begoña Concepción Asunción Encarnación Ascensión Purificación " +
  "Andrés Jesús Rubén Raúl Héctor Ramón César Nicolás Tomás Joaquín Agustín Fermín Íñigo Efraín Germán Matías Elías Isaías " +
  "Jeremías Moisés Ángeles Estefanía Rosalía Noemí Fátima Débora Cándida " +
  "García López Martínez Rodríguez Hernández González Pérez Sánchez Ramírez Gómez Díaz Vázquez Vásquez Jiménez Gutiérrez " +
  "Álvarez Méndez Fernández Núñez Muñoz Peña Ibáñez Ordóñez Castañeda Zúñiga Ávila Cárdenas Domínguez Márquez Velázquez " +
  "Velásquez Suárez Juárez Chávez Beltrán Galván Ríos Mejía Benítez Bermúdez Cáceres Calderón Colón Córdova Dávila " +
  "Estévez Farías Gálvez Garzón Guzmán Íñiguez Lázaro Marín Meléndez Menéndez Ocaña Patiño Quiñones " +
  "Quiñónez Rincón Saldaña Sepúlveda Solís Téllez Tobón Treviño Valdés Yáñez Yépez Zárate Cañizares Añorve Bolaños Briseño " +
  "Cedeño Montañez Carreño Acuña Avendaño Liñán Niño Piña Rendón Ureña Páez Báez Sáenz " +
  "Sáez Láinez Gaitán Alarcón Almazán Aragón Barragán Cerón Chacón Falcón Girón Lebrón Mondragón Obregón " +
  "Pavón Pantaleón Pabón Rondón Terán Tristán Villagrán Bazán Millán Morán Albarrán Farfán Guillén Fariña " +
  "Álvaro Jerónimo Gerónimo Efrén Aníbal Adán Anahí Águeda Arístides Bartolomé Crispín Filemón Gedeón " +
  "Hipólito Hilarión Iñaki Melquíades Nélida Onésimo Plácido Próspero Rómulo Teófilo Tobías Zacarías Jonatán Absalón " +
  "Consolación Visitación Anunciación Resurrección Aída " +
  "Vélez Enríquez Henríquez Narváez Peláez Antúnez Galíndez Godínez Giménez Ximénez Nevárez Olivárez Gámez Díez Bohórquez Mínguez " +
  "Míguez Miguélez Estébanez Faúndez Fúnez Hernáez Jáquez Olguín Holguín Pulgarín Machín Landín Verdín " +
  "Abellán Alcántara Alcalá Alemán Almodóvar Andújar Arévalo Argüello Argüelles Aránguiz Arámbula Ávalos Dávalos Bárcenas Báñez " +
  "Berríos Buendía Cabañas Cantú Cañas Cañedo Carrión Casañas Castañón Castellón Catalán Cintrón Córdoba Córcoles Cortázar Cuéllar " +
  "Dueñas Durón Echeverría Espínola Estupiñán Feliú Ferrán Gabaldón Gaviño Góngora Híjar Jáuregui Jaén Larrañaga " +
  "Lizárraga Logroño Luján Magaña Malagón Marañón Mármol Melián Membreño Montalbán Montalván Montaño Monzón Múgica Muñiz " +
  "Nájera Negrón Oñate Orduña Ortúzar Padrón Pagán Párraga Peñaloza Peñalver Peñaranda Piñeiro Piñero Piñón Polanía " +
  "Rábago Ródenas Roldán Rosselló Rúa Sagástegui Santamaría Santillán Sariñana Soberón Solórzano Verástegui Viñas " +
  "Villaseñor Villafañe Villalón Zaldívar Zamarrón Zurbarán Lafón Mazón Pinzón Aguiñaga " +
  "Ayón Bañuelos Cárcamo Cobián Fandiño Gavilán Güemes " +
  "Órdenes Sandín Tuñón Urías Urzúa";

/** Names spelled alike in English and Spanish: the accent is set only if another part of the name is certainly Spanish. */
const spanishInContext =
  "Ángel Ángela Óscar Víctor Martín Adrián Iván Sebastián Julián León Román Cortés Durán Félix Aarón Cristián Fabián Damián " +
  "Hernán Gastón Bernabé Josué Noé Édgar Lía Mía Salomé Simón Galán Saúl Benjamín Valentín Darío Néstor Jonás Úrsula Jazmín " +
  "Salomón Esaú Zoé Míriam Barrón Jordán Avilés";

function strip(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}

function dictionary(names: string): Map<string, string> {
  return new Map(names.split(" ").map((name) => [strip(name), name]));
}

const certainNames = dictionary(alwaysSpanish);
const contextNames = dictionary(spanishInContext);

const wordSet = (words: string) => new Set(words.split(" "));

/** Particles between the parts of a name. A particle at the end is a name itself ('María Dos'). */
const particles = wordSet("de del la las los y da do dos das du des di della van von der den al el bin ibn");
/** 'e' and 'i' join two surnames ('Costa e Silva', 'Puig i Cadafalch'). Directly after the first name they are initials. */
const surnameJoiners = wordSet("e i");
const suffixes = wordSet("jr sr ii iii iv vi vii viii md phd dds cpa esq");
/** Words with a fixed spelling in any position. */
const ownSpelling = new Map(
  "II III IV VII VIII LLC LLP USA MD PhD DDS CPA SL SLU SRL S.A. C.V. AJ EJ"
    .split(" ")
    .map((spelt) => [spelt.toLowerCase(), spelt]),
);
/** Two letters without a vowel that are not initials. */
const shortWords = wordSet("ng jr sr dr mr ms st lt");
const capitalAfterMac = /^mac(donald|arthur|gregor|leod|dougall|millan|lean|kinnon|farlane)$/;

function fold(word: string): string {
  // Most words are ASCII, and removing accents is slow.
  if (/^[\x20-\x7e]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}

/** Whether a text has capitals and small letters, which means that its case was chosen by a person. */
function isMixedCase(text: string): boolean {
  return /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text);
}

function capitalise(run: string): string {
  const lower = run.toLowerCase();
  if (/^mc\p{Letter}{3,}$/u.test(lower)) return `Mc${lower.charAt(2).toUpperCase()}${lower.slice(3)}`;
  if (capitalAfterMac.test(lower)) return `Mac${lower.charAt(3).toUpperCase()}${lower.slice(4)}`;
  if (/^[^aeiouy]{2}$/.test(lower) && /^[a-z]+$/.test(lower) && !shortWords.has(lower))
    return lower.toUpperCase();
  const [first = ""] = lower;
  const upper = first.toUpperCase();
  // 'ß' and a few other letters become two letters in upper case, so they are not capitalized.
  return (upper.length === first.length ? upper : first) + lower.slice(first.length);
}

/** Whether each letter equals the known spelling's letter, with its accent or without: true for 'nuñez' and 'Núñez', false for 'Nuñéz'. */
function isUnaccentedForm(word: string, known: string): boolean {
  const letters = [...word.toLowerCase()];
  const knownLetters = [...known.toLowerCase()];
  return (
    letters.length === knownLetters.length &&
    letters.every((letter, index) => {
      const other = knownLetters[index] as string;
      return letter === other || letter === fold(other);
    })
  );
}

function accented(run: string, spanish: boolean): string {
  const known = certainNames.get(fold(run)) ?? (spanish ? contextNames.get(fold(run)) : undefined);
  return known && isUnaccentedForm(run, known) ? known : run;
}

/** Runs of letters: both parts of 'García-López', the inside of '(mary)'. */
const letterRun = /[\p{Letter}\p{Mark}]+/gu;
const isTitleCase = (run: string) => /^\p{Lu}[\p{Ll}\p{Mark}]+$/u.test(run);

function writeRun(run: string, offset: number, word: string): string {
  const before = word.charAt(offset - 1);
  const isInside = offset > 0 && offset + run.length < word.length;
  const lower = run.toLowerCase();
  // Examples: '3rd', "Joe's".
  if (/\d/.test(before) || (/['’]/.test(before) && offset > 1 && lower === "s")) return lower;
  if (before === "-" && isInside && particles.has(lower)) return lower;
  return capitalise(run);
}

interface Place {
  isInner: boolean;
  isSpanish: boolean;
  /** The rest of the name is in mixed case: two capitals are initials then ('JP Morgan'). */
  isMixed: boolean;
  joins: boolean;
}

function writeWord(word: string, { isInner, isSpanish, isMixed, joins }: Place): string {
  const lower = word.toLowerCase();
  if (isMixedCase(word))
    return word.replace(letterRun, (run) => (isTitleCase(run) ? accented(run, isSpanish) : run));
  if (isMixed && (isInner ? /^\p{Letter}$/u : /^\p{Lu}$/u).test(word)) return word;
  if (isInner && (particles.has(lower) || (joins && surnameJoiners.has(lower)))) return lower;
  const own = ownSpelling.get(lower);
  if (own) return own;
  if (isMixed && /^\p{Lu}{2}$/u.test(word)) return word;
  return word.replace(letterRun, (run, offset: number) => accented(writeRun(run, offset, word), isSpanish));
}

/** Size of the caches. Names repeat, and formatting one takes microseconds, which adds up in a file of 100,000 rows. */
const keptWords = 20_000;
const separator = "\u0000";

const isSpanish = memoize(keptWords, (word) =>
  [...word.matchAll(letterRun)].some(([run]) => certainNames.has(fold(run)) || /ñ/iu.test(run)),
);
const properWord = memoize(keptWords, (key) => {
  const [flags = "", word = ""] = key.split(separator);
  const is = (flag: string) => flags.includes(flag);
  return writeWord(word, { isInner: is("i"), isSpanish: is("s"), isMixed: is("m"), joins: is("j") });
});
/** Numbers are not changed, and would fill the cache. */
const number = /^[\d.,]+$/;
/** Not a word of a name: an address, a formula, code. */
const noName = /[^\p{Letter}\p{Mark}\d\s'’.,()"“”«»&-]|\p{Letter}{2}\.\p{Letter}{2}/u;

/** Invisible characters that change the direction of text or hide what is next to them. Joiners of scripts and emoji are not included. */
const invisible = /[\u200B\u202A-\u202E\u2066-\u2069]/gu;

/** Trims a typed name: single spaces, no invisible control characters, composed accents (NFC). */
export function tidyName(typed: string): string {
  return typed.replace(invisible, "").normalize("NFC").trim().replace(/\s+/gu, " ");
}

/** Index of the last word that is not a suffix such as 'III' or 'Jr.'. */
function lastNameIndex(words: string[]): number {
  const isSuffix = (word: string) => suffixes.has(word.toLowerCase().replace(/[.,]/g, ""));
  for (let index = words.length - 1; index > 0; index -= 1) if (!isSuffix(words[index] ?? "")) return index;
  return 0;
}

/**
 * Formats a person's name: 'maria garcia lopez' becomes 'María García López', 'JOSE DE LA O' becomes 'José de la O'. Words in mixed case
 * stay as typed except for the accents of common Spanish names; particles between names are in lower case.
 */
export function properName(typed: string): string {
  const name = tidyName(typed);
  const words = name.split(" ").filter(Boolean);
  const spanish = words.some((word) => !number.test(word) && isSpanish(word)) ? "s" : "";
  const mixed = isMixedCase(name) ? "m" : "";
  const last = lastNameIndex(words);
  return words
    .map((word, index) => {
      if (number.test(word) || noName.test(word)) return word;
      const inner = index > 0 && index < last ? "i" : "";
      const joins = index > 1 ? "j" : "";
      return properWord(`${spanish}${mixed}${inner}${joins}${separator}${word}`);
    })
    .join(" ");
}

/** Formats a name that a consultant typed. It stays as typed if it is in mixed case or only differs from `before` in case and accents. */
export function typedName(typed: string, before: string): string {
  const name = tidyName(typed);
  return isMixedCase(name) || fold(name) === fold(before) ? name : properName(name);
}

/**
 * Whether an incoming name is the known one in other case or without accents. The known spelling is then kept, because a consultant may
 * have corrected it. False if the incoming name has capitals inside a word and the known one has only those that `properName` sets.
 */
export function repeatsName(known: string, typed: string): boolean {
  const name = tidyName(typed);
  if (name === known) return true;
  if (fold(name) !== fold(known) || !isUnaccentedForm(name, known)) return false;
  const hasOwnCapitals = [...name.matchAll(letterRun)].some(([run]) => isMixedCase(run) && !isTitleCase(run));
  return !(hasOwnCapitals && known === properName(known.toLowerCase()));
}

/** Splits a name into its first word and the rest, for records with two fields. */
export function splitName(name: string): { firstName: string | null; lastName: string | null } {
  const [firstName = null, ...rest] = name.split(" ").filter(Boolean);
  return { firstName, lastName: rest.length > 0 ? rest.join(" ") : null };
}
