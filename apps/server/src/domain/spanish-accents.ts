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

/** Spelt alike in English and Spanish: the accent is set only beside a name that is Spanish for certain. */
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

export const certainNames = dictionary(alwaysSpanish);
export const contextNames = dictionary(spanishInContext);
