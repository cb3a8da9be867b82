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
  "Pavón Pantaleón Pabón Rondón Terán Tristán Villagrán Bazán Millán Morán Albarrán Farfán Guillén Fariña";

/** Spelt alike in English and Spanish: the accent is set only beside a name that is Spanish for certain. */
const spanishInContext =
  "Ángel Ángela Óscar Víctor Martín Adrián Iván Sebastián Julián León Román Cortés Durán Félix Aarón Cristián Fabián Damián " +
  "Hernán Gastón Bernabé Josué Noé Édgar Lía Mía Salomé Simón Galán";

function strip(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}

function dictionary(names: string): Map<string, string> {
  return new Map(names.split(" ").map((name) => [strip(name), name]));
}

export const certainNames = dictionary(alwaysSpanish);
export const contextNames = dictionary(spanishInContext);
