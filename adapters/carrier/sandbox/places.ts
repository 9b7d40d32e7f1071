import type { Center, City, State } from 'serai/carrier'

type Zone = 1 | 2 | 3 | 4 | 5
export interface Wilaya {
  readonly code: string
  readonly name: string
  readonly zone: Zone
}

// Names in the order of the codes 01 to 58, with the delivery zone after the bar.
const names = `Adrar|5 Chlef|2 Laghouat|4 Oum El Bouaghi|3 Batna|3 Béjaïa|2 Biskra|3 Béchar|4 Blida|1 Bouira|2 Tamanrasset|5 Tébessa|3
Tlemcen|2 Tiaret|3 Tizi Ouzou|2 Alger|1 Djelfa|3 Jijel|2 Sétif|2 Saïda|3 Skikda|2 Sidi Bel Abbès|2 Annaba|2 Guelma|2 Constantine|2 Médéa|2
Mostaganem|2 M'Sila|3 Mascara|2 Ouargla|4 Oran|2 El Bayadh|4 Illizi|5 Bordj Bou Arréridj|2 Boumerdès|1 El Tarf|2 Tindouf|5 Tissemsilt|3
El Oued|4 Khenchela|3 Souk Ahras|3 Tipaza|1 Mila|2 Aïn Defla|2 Naâma|4 Aïn Témouchent|2 Ghardaïa|4 Relizane|2 Timimoun|5 Bordj Badji Mokhtar|5
Ouled Djellal|3 Béni Abbès|5 In Salah|5 In Guezzam|5 Touggourt|4 Djanet|5 El M'Ghair|4 El Meniaa|4`

export const wilayas: readonly Wilaya[] = [...names.matchAll(/([^|]+)\|(\d)\s*/g)].map(([, name, zone], index) => ({
  code: String(index + 1).padStart(2, '0'),
  name: name!,
  zone: Number(zone) as Zone,
}))

const byCode = new Map(wilayas.map((wilaya) => [wilaya.code, wilaya]))
export const wilayaOf = (code: string) => byCode.get(code.padStart(2, '0'))

const capitalOf = ({ code, name }: Wilaya) => (code === '16' ? 'Alger Centre' : name)
const wilayasIn = (stateId?: string) => (stateId === undefined ? wilayas : wilayas.filter(({ code }) => code === stateId.padStart(2, '0')))

export const centerId = (code: string) => `SBC${code}`

/** Lists the wilayas. */
export const states = (): State[] => wilayas.map(({ code, name }) => ({ id: code, name, code, deliverable: true }))

/** Lists the capitals only; parcels to any other city are accepted too. */
export const cities = (_: unknown, query: { stateId?: string }): City[] =>
  wilayasIn(query.stateId).map((wilaya) => ({
    id: `${wilaya.code}01`,
    name: capitalOf(wilaya),
    stateId: wilaya.code,
    home: true,
    pickup: true,
    deliveryDays: wilaya.zone,
  }))

/** Lists the stop desks. */
export const centers = (_: unknown, query: { stateId?: string }): Center[] =>
  wilayasIn(query.stateId).map((wilaya) => ({
    id: centerId(wilaya.code),
    name: `Sandbox ${wilaya.name}`,
    stateId: wilaya.code,
    cityName: capitalOf(wilaya),
    address: `1 rue de la Répétition, ${capitalOf(wilaya)}`,
  }))
