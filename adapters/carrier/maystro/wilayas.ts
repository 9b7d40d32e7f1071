import { foldName, wilayaCode } from 'serai/carrier'

/** Wilayas 01 to 58 with their spellings; accents, hyphens and apostrophes are ignored. */
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

/** Returns our code of a wilaya by the carrier's name. */
export const codeNamed = (name: string): string | undefined => codes.get(foldName(name))
/** Returns the spellings of a wilaya, most common first; empty for an unknown code. */
export const namesOf = (code: string): readonly string[] => spellings[Number(code) - 1] ?? []
