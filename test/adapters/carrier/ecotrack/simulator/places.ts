import { algeria } from '../../../../../core/platform/geo/countries/dz/catalogue.ts'

/** Not in the list of wilayas at all. */
export const NOT_LISTED = 56
/** Listed, and yet refused when an order goes there. */
export const NOT_SERVED = 54

export const wilayas = algeria.states
  .map(({ code, name }) => ({ wilaya_id: Number(code), wilaya_name: name }))
  .filter(({ wilaya_id }) => wilaya_id !== NOT_LISTED)

interface Commune {
  readonly nom: string
  readonly wilaya_id: number
  readonly code_postal: string
  readonly has_stop_desk: 0 | 1 | '0' | '1'
}

/** Two of its communes share a stop desk. */
const SHARED = 9

/** The first commune of each wilaya has a stop desk; half of the wilayas say so in text. */
function communeOf(wilaya: number, city: (typeof algeria.cities)[number], index: number): Commune {
  const isShared = wilaya === SHARED && index === 1
  const hasDesk = index === 0 || isShared
  return {
    nom: city.name,
    wilaya_id: wilaya,
    code_postal: isShared ? '09000' : (city.postalCode ?? `${wilaya}000`),
    has_stop_desk: wilaya % 2 === 0 ? (hasDesk ? '1' : '0') : hasDesk ? 1 : 0,
  }
}

const members = Map.groupBy(algeria.cities, ({ stateCode }) => Number(stateCode))
export const communesOf = (wilaya: number) => (members.get(wilaya) ?? []).map((city, index) => communeOf(wilaya, city, index))

/** Made-up prices: what counts is their form. The last wilaya has no stop desk. */
const table = (base: number) =>
  wilayas.map(({ wilaya_id }) => ({
    wilaya_id,
    tarif: String(base + Math.floor(wilaya_id / 10) * 100),
    tarif_stopdesk: wilaya_id === 58 ? null : String(base + Math.floor(wilaya_id / 10) * 100 - 50),
  }))

const flat = (amount: string | null) => wilayas.map(({ wilaya_id }) => ({ wilaya_id, tarif: amount, tarif_stopdesk: null }))

export const fees = { livraison: table(500), pickup: flat('150'), échange: table(600), recouvrement: flat(null), retour: flat('200') }

export const deliveryFee = (wilaya: number, { isDesk }: { readonly isDesk: boolean }) => {
  const row = fees.livraison.find(({ wilaya_id }) => wilaya_id === wilaya)
  return (isDesk ? row?.tarif_stopdesk : row?.tarif) ?? '0'
}

export const products = Array.from({ length: 34 }, (_, index) => ({
  reference: `SKU-${index + 1}`,
  barcode: index % 2 === 0 ? `61300000${String(index).padStart(5, '0')}` : null,
  title: `Produit ${index + 1}`,
  is_active: 1,
  image: null,
  stock_disponible: String(index * 3),
  stock_reserve: 1,
  stock_phisique: index * 3 + 1,
}))
