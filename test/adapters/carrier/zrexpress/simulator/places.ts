import { algeria } from '../../../../../core/platform/geo/countries/dz/catalogue.ts'

/** These had no territory when the carrier was looked at. */
const without = new Set(['33', '37', '50', '56'])

/** The carrier writes names without accents and apostrophes. */
const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').replace(/['’]/g, '')

const uuid = (kind: string, number: number) => `${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`

const states = algeria.states.filter(({ code }) => !without.has(code))
const members = Map.groupBy(algeria.cities, ({ stateCode }) => stateCode)
const everywhere = { hasHomeDelivery: true, hasPickupPoint: true, canSend: true }

export const wilayas = states.map(({ code, name, nameAr }) => ({
  id: uuid('aaaaaaaa', Number(code)),
  code,
  name: plain(name),
  nameArabic: nameAr,
  postalCode: `${code}000`,
  level: 'wilaya',
  parentId: null,
  delivery: everywhere,
}))

/** The last commune of a large wilaya is not served at home. */
export const communes = wilayas.flatMap((wilaya) =>
  (members.get(wilaya.code) ?? []).map(({ code, name, nameAr }, index, all) => ({
    id: uuid('bbbbbbbb', Number(code)),
    code,
    name: plain(name),
    nameArabic: nameAr,
    postalCode: `${code}0`,
    level: 'commune',
    parentId: wilaya.id,
    delivery: { ...everywhere, hasHomeDelivery: !(all.length > 20 && index === all.length - 1), hasPickupPoint: index === 0 },
  })),
)

/** Communes first: code that takes the first result takes a wrong one. */
export const territories = [...communes, ...wilayas]

const hub = (commune: (typeof communes)[number], number: number) => ({
  id: uuid('cccccccc', number),
  name: `Hub ${commune.name}`,
  type: 'branch',
  isPickupPoint: true,
  isVisible: true,
  isReturnCenter: false,
  address: {
    street: `1 rue principale, ${commune.name}`,
    city: wilayas.find(({ id }) => id === commune.parentId)!.name,
    cityTerritoryId: commune.parentId,
    district: commune.name,
    districtTerritoryId: commune.id,
    postalCode: commune.postalCode,
    country: 'DZ',
    coordinates: { latitude: 36 - number / 1e5, longitude: 3 },
  },
  openingHours: null,
  phone: { number1: '+213550000001', number2: null, number3: null },
})

const open = communes.filter(({ delivery }) => delivery.hasPickupPoint).map((commune) => hub(commune, Number(commune.code)))

/** One sorts, one takes returns only, one is hidden: nobody collects a parcel there. */
export const hubs = [
  { ...hub(communes[0]!, 1), name: 'Tri', isPickupPoint: false },
  { ...hub(communes[1]!, 2), name: 'Retours', isPickupPoint: false, isReturnCenter: true },
  { ...hub(communes[2]!, 3), name: 'Fermé', isVisible: false },
  ...open,
]

const price = (deliveryType: string, amount: number, discounted: number | null = null) => ({
  deliveryType,
  price: amount,
  discountedPrice: discounted,
  isSpecificPrice: false,
  specificPriceId: null,
  priceTtc: amount * 1.19,
  discountedPriceTtc: discounted === null ? null : discounted * 1.19,
  vatRate: 19,
})

/** Made-up prices: what counts is their form. Rows of wilayas and communes are mixed; only the first communes have one. */
export function rates(fromTerritoryId: string) {
  const from = wilayas.find(({ id }) => id === fromTerritoryId)
  if (!from) return undefined
  const priced = territories.filter(({ level, delivery }) => level === 'wilaya' || delivery.hasPickupPoint)
  return priced.map((to) => {
    const near = to.id === from.id || to.parentId === from.id
    const home = (near ? 300 : 600) + (to.level === 'commune' ? 100 : 0)
    return {
      toTerritoryId: to.id,
      toTerritoryCode: to.code,
      toTerritoryName: to.name,
      toTerritoryNameArabic: to.nameArabic,
      toTerritoryLevel: to.level,
      deliveryPrices: [price('home', home, to.code === '31' ? home - 100 : null), price('pickup-point', home - 200), price('return', 200)],
    }
  })
}
