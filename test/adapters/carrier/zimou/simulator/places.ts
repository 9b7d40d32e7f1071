import { algeria } from '../../../../../core/platform/geo/countries/dz/catalogue.ts'

export const wilayas = algeria.states.map(({ code, name }) => ({ id: Number(code), name }))

export const communes = algeria.cities.map(({ code, name, stateCode, postalCode }) => ({
  id: Number(code),
  name,
  wilaya_id: Number(stateCode),
  zip_code: postalCode,
}))

const partners = ['Yalidine', 'Maystro', 'DHD']

/** One in the first commune of each wilaya, and one whose commune nobody lists. */
export const offices = [
  ...wilayas.map(({ id, name }) => {
    const commune = communes.find(({ wilaya_id }) => wilaya_id === id)!
    return {
      id: id * 100 + 1,
      name: `Agence ${name}`,
      delivery_price: 300,
      partner_company_name: partners[id % partners.length]!,
      address: `1 rue principale, ${commune.name}`,
      commune_id: commune.id,
    }
  }),
  { id: 9999, name: 'Agence perdue', delivery_price: 0, partner_company_name: 'DHD', address: '', commune_id: 424_242 },
]

/** Made-up prices, one row a partner, most of them nothing: what counts is their form. */
export const prices = wilayas.flatMap(({ id, name }) =>
  ['Express', 'Flexible', 'Point relais'].flatMap((delivery_type_name, type) =>
    partners.map((_, partner) => {
      const price = partner === 2 || (type === 1 && id > 50) ? 0 : 400 + id * 10 - type * 100 + partner * 50
      return {
        wilaya_id: id,
        wilaya_name: name,
        delivery_type_name,
        price1: partner === 0 ? String(price) : price,
        price2: price === 0 ? 0 : price + 25,
        price3: 0,
        min_delivery_days: 1,
        max_delivery_days: 1 + (id % 5),
      }
    }),
  ),
)
