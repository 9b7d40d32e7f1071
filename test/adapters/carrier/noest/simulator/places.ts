import { algeria } from '../../../../../core/platform/geo/countries/dz/catalogue.ts'

/** Not served, so that it can be told. */
const CLOSED_WILAYA = 54
const CLOSED_COMMUNE = 'Oued Tlelat'

export const wilayas = algeria.states.map(({ code, name }) => ({
  code: Number(code),
  nom: name,
  is_active: Number(code) === CLOSED_WILAYA ? 0 : 1,
}))

export const communes = algeria.cities.map(({ name, stateCode, postalCode }) => ({
  nom: name,
  wilaya_id: Number(stateCode),
  code_postal: postalCode,
  is_active: name === CLOSED_COMMUNE ? 0 : 1,
}))

const desk = (code: string, commune: string) => ({
  code,
  name: `Bureau ${commune}`,
  commune,
  address: `1 rue principale, ${commune}`,
  map: 'https://maps.example/?q=here',
  phones: { '0': '0550000001', '1': '' },
  email: 'bureau@example.dz',
  horaires: '08:30 - 17:30',
})

/** One in each wilaya, a second one in Oran; an object keyed by code. */
export const desks = Object.fromEntries(
  [
    ...wilayas.flatMap(({ code }) => {
      const first = communes.find(({ wilaya_id }) => wilaya_id === code)
      return first ? [desk(`${String(code).padStart(2, '0')}A`, first.nom)] : []
    }),
    desk('31B', 'Bir El Djir'),
  ].map((row) => [row.code, row]),
)

/** Made-up prices, as text: what counts is their form. */
const tariffs = (base: number) =>
  Object.fromEntries(
    wilayas.map(({ code }) => [
      String(code),
      { tarif_id: code, wilaya_id: code, tarif: String(base + code * 5), tarif_stopdesk: String(base - 150 + code * 5) },
    ]),
  )

export const fees = { tarifs: { delivery: tariffs(400), return: tariffs(200) } }
