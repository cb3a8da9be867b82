/** Lead fields that an import column or a payload field can fill. */
export const leadFields = [
  "name",
  "firstName",
  "lastName",
  "email",
  "phone",
  "company",
  "industry",
  "status",
  "priority",
  "notes",
  "leadSource",
  "dealValue",
] as const;
export type LeadField = (typeof leadFields)[number];

/**
 * Header aliases by field, without case, accents and punctuation (`headerKey`): the recorded ones, then Spanish ones and those of other
 * CRMs' exports. If several columns fill one field, the earlier alias wins.
 */
const aliases: Record<LeadField, string> = {
  name: `name fullname leadname contactname personname clientname customername displayname contact lead prospect
    nombre nombrecompleto nombreyapellido nombreyapellidos nombreapellido nombredelcontacto nombrecontacto nombrecliente
    nombredelcliente cliente contacto prospecto persona`,
  firstName: `firstname first givenname forename fname personfirstname contactfirstname primernombre nombres nombredepila`,
  lastName: `lastname last surname familyname lname secondname personlastname contactlastname apellido apellidos
    apellidopaterno primerapellido`,
  email: `email emailaddress mail mailaddress primaryemail email1 email1value emailwork workemail businessemail
    personalemail emailhome personemail personemailwork personemailhome personemailother contactemail leademail
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico correoe correo1 emailprincipal`,
  phone: `phone phonenumber telephone telephonenumber tel mobile mobilephone mobilenumber mobilephonenumber cell cellphone
    cellphonenumber primaryphone phone1 phone1value phonemobile phonework workphone businessphone phonehome homephone
    personphone personphonework personphonemobile personphonehome personphoneother contactphone contactnumber leadphone
    whatsapp whatsappnumber whatsappphonenumber
    telefono telefonomovil movil celular numerodetelefono numerotelefono numerodecelular telefonocelular telefono1
    telefonoprincipal telefonodecontacto telefonofijo tlf tfno`,
  company: `company companyname organization organisation organizationname organisationname organization1name account
    accountname companyaccount companyoraccount business businessname associatedcompany primaryassociatedcompany
    personorganization empresa compania nombredelaempresa nombreempresa organizacion negocio razonsocial`,
  industry: `industry industryname leadindustry industria sector giro rubro ramo`,
  status: `status leadstatus contactstatus statusname stage leadstage pipelinestage dealstage lifecyclestage
    estado estatus estadodelprospecto estadodellead estadodelcliente situacion etapa fase`,
  priority: `priority leadpriority rating leadrating prioridad`,
  notes: `notes note comments comment notescomments remarks description leaddescription message
    notas nota comentarios comentario observaciones observacion descripcion mensaje`,
  leadSource: `source leadsource originalsource leadorigin origin contactsource
    origen fuente origendelprospecto origendellead fuentedelprospecto canal procedencia`,
  dealValue: `dealvalue value amount dealamount opportunityvalue opportunityamount leadvalue estimatedvalue
    valor importe monto valordelnegocio valordelacuerdo valordelaoportunidad valorestimado`,
};

interface Alias {
  field: LeadField;
  rank: number;
}

const byKey = new Map<string, Alias>(
  Object.entries(aliases).flatMap(([field, keys]) =>
    keys.split(/\s+/).map((key, rank): [string, Alias] => [key, { field: field as LeadField, rank }]),
  ),
);

/** Normalizes a header: without case, accents, spaces and punctuation. 'E-mail', 'e_mail' and 'eMail' become 'email'. */
export function headerKey(header: string): string {
  return header
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, "");
}

/** The field that a header fills; null if unknown, in which case the value is stored with the lead under its own name. */
export function leadFieldOf(header: string): LeadField | null {
  return byKey.get(headerKey(header))?.field ?? null;
}

/** Rank of a header among those of its field; the smallest fills it first. */
export function aliasRank(header: string): number {
  return byKey.get(headerKey(header))?.rank ?? Number.MAX_SAFE_INTEGER;
}
