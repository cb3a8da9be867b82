/** Invented people, places and companies for the demo's leads. */

export const spanishFirstNames = [
  "María",
  "José",
  "Guadalupe",
  "Carlos",
  "Lucía",
  "Javier",
  "Valentina",
  "Miguel",
  "Camila",
  "Andrés",
  "Isabel",
  "Fernando",
  "Gabriela",
  "Ricardo",
  "Daniela",
  "Héctor",
  "Paola",
  "Óscar",
  "Mónica",
  "Raúl",
  "Rosa",
  "Ernesto",
  "Beatriz",
  "Ximena",
  "Tomás",
  "Verónica",
  "Adrián",
  "Marisol",
  "Esteban",
  "Yolanda",
  "Rodrigo",
  "Patricia",
];

export const englishFirstNames = [
  "Emily",
  "James",
  "Ashley",
  "Michael",
  "Olivia",
  "Robert",
  "Grace",
  "Daniel",
  "Hannah",
  "William",
  "Natalie",
  "Anthony",
  "Kevin",
  "Julia",
  "Brandon",
  "Megan",
  "Tyler",
  "Rachel",
  "Derek",
  "Vanessa",
];

export const spanishLastNames = [
  "García",
  "Hernández",
  "Ramírez",
  "Núñez",
  "Peña",
  "Castillo",
  "Vázquez",
  "Delgado",
  "Fuentes",
  "Ibáñez",
  "Morales",
  "Quiñones",
  "Salazar",
  "Trujillo",
  "Villanueva",
  "Zúñiga",
  "Acosta",
  "Benítez",
  "Cárdenas",
  "Domínguez",
  "Rojas",
  "Esquivel",
  "Herrera",
  "Navarro",
  "Solís",
  "Montoya",
];

export const englishLastNames = [
  "Walker",
  "Bennett",
  "Coleman",
  "Harper",
  "Mitchell",
  "Sullivan",
  "Turner",
  "Whitfield",
  "Lawson",
  "Pruitt",
  "Nguyen",
  "Patel",
  "Kowalski",
  "Brooks",
  "Ellison",
  "Freeman",
];

export const industries = {
  Dental: ["Sonrisa Dental Studio", "Bright Smile Dentistry", "Clínica Dental del Sol", "Coral Way Dental"],
  "Real Estate": ["Casa Bonita Realty", "Harbor Point Properties", "Inmobiliaria Las Palmas", "Nuevo Hogar"],
  Construction: ["Techos y Más Roofing", "Ironwood Builders", "Hermanos Fuentes Construction", "Obra Fina"],
  Restaurants: ["La Cocina de Abuela", "Blue Heron Café", "Taquería El Farol", "Panadería La Espiga"],
  Insurance: ["Sureño Insurance Group", "Keystone Family Insurance", "Seguros Miramar", "Palmetto Coverage"],
  Landscaping: ["Jardines Esmeralda", "Green Acre Landscaping", "Evergreen Lawn Care", "Verde Vivo"],
  "Auto Repair": ["Taller Rápido Auto", "Route 9 Auto Repair", "Precision Tire & Brake", "Motores del Sur"],
  Beauty: ["Bella Vida Salon", "The Gilded Mirror Spa", "Estética Aurora", "Salón Marisol"],
  Legal: ["Ortega & Whitfield Law", "Peña Immigration Counsel", "Lawson Legal Group", "Bufete Quiñones"],
  Logistics: ["Transportes del Golfo", "Lone Star Freight", "Rápido Express Couriers", "Ruta 66 Cargo"],
};
export type Industry = keyof typeof industries;

export const sources = {
  "web form": 24,
  "Facebook Lead Ads": 22,
  "Google Ads": 18,
  referral: 12,
  Instagram: 10,
  "AI voice agent": 9,
  "trade show": 5,
};

export const tags = [
  "hot",
  "spanish",
  "english",
  "callback requested",
  "newsletter",
  "webinar",
  "price shopper",
];

/** Places with their area codes; those of most leads occur more than once. */
const east = "America/New_York";
const central = "America/Chicago";
export const areas = [
  { code: "305", city: "Miami", state: "FL", zip: "33130", zone: east },
  { code: "786", city: "Hialeah", state: "FL", zip: "33012", zone: east },
  { code: "407", city: "Orlando", state: "FL", zip: "32801", zone: east },
  { code: "813", city: "Tampa", state: "FL", zip: "33602", zone: east },
  { code: "212", city: "New York", state: "NY", zip: "10001", zone: east },
  { code: "718", city: "Brooklyn", state: "NY", zip: "11201", zone: east },
  { code: "201", city: "Jersey City", state: "NJ", zip: "07302", zone: east },
  { code: "404", city: "Atlanta", state: "GA", zip: "30303", zone: east },
  { code: "713", city: "Houston", state: "TX", zip: "77002", zone: central },
  { code: "210", city: "San Antonio", state: "TX", zip: "78205", zone: central },
  { code: "214", city: "Dallas", state: "TX", zip: "75201", zone: central },
  { code: "512", city: "Austin", state: "TX", zip: "78701", zone: central },
  { code: "312", city: "Chicago", state: "IL", zip: "60601", zone: central },
  { code: "602", city: "Phoenix", state: "AZ", zip: "85003", zone: "America/Phoenix" },
  { code: "303", city: "Denver", state: "CO", zip: "80202", zone: "America/Denver" },
  { code: "213", city: "Los Angeles", state: "CA", zip: "90012", zone: "America/Los_Angeles" },
];
export type Area = (typeof areas)[number];

/** The numbers of the account, the office and the consultants, which no lead has. */
export const systemNumber = "+12125550100";
export const officeLine = "+12125550199";
