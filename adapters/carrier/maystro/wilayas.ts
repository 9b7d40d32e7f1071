import { foldName, wilayaCode } from 'serai/carrier'

/** 01 to 58, each with the spellings that are met; accents, hyphens and apostrophes do not matter. */
const spellings = [
  ...['Adrar', 'Chlef/Ech Cheliff/Ech Chlef', 'Laghouat', 'Oum El Bouaghi', 'Batna', 'Béjaïa', 'Biskra', 'Béchar', 'Blida', 'Bouira'],
  ...['Tamanrasset/Tamanghasset', 'Tébessa', 'Tlemcen', 'Tiaret', 'Tizi Ouzou', 'Alger/Algiers', 'Djelfa', 'Jijel', 'Sétif', 'Saïda'],
  ...['Skikda', 'Sidi Bel Abbès', 'Annaba', 'Guelma', 'Constantine', 'Médéa', 'Mostaganem', 'M’Sila', 'Mascara', 'Ouargla', 'Oran'],
  ...['El Bayadh', 'Illizi', 'Bordj Bou Arreridj', 'Boumerdès', 'El Tarf/El Taref', 'Tindouf', 'Tissemsilt', 'El Oued', 'Khenchela'],
  ...['Souk Ahras', 'Tipaza/Tipasa', 'Mila', 'Aïn Defla', 'Naâma', 'Aïn Témouchent', 'Ghardaïa', 'Relizane/Ghelizane', 'Timimoun'],
  ...['Bordj Badji Mokhtar', 'Ouled Djellal', 'Béni Abbès', 'In Salah/Ain Salah', 'In Guezzam/Ain Guezzam', 'Touggourt', 'Djanet'],
  ...['El M’Ghair/El Meghaier/El M’Ghaier', 'El Meniaa/El Menia'],
].map((names) => names.split('/'))

const codes = new Map(spellings.flatMap((names, index) => names.map((name) => [foldName(name), wilayaCode(index + 1)] as const)))

/** Our code of a wilaya that the carrier knows by name. */
export const codeNamed = (name: string): string | undefined => codes.get(foldName(name))
/** How a wilaya is written, most usual first; nothing for a code that is none. */
export const namesOf = (code: string): readonly string[] => spellings[Number(code) - 1] ?? []
