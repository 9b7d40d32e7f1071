import { wilayas as zones } from '../../../../../adapters/carrier/sandbox/places.ts'
import { algeria } from '../../../../../core/platform/geo/countries/dz/catalogue.ts'

const notServedWilaya = 54

export const wilayas = algeria.states.map(({ code, name }, index) => ({
  id: Number(code),
  name,
  zone: zones[index]!.zone,
  is_deliverable: Number(code) === notServedWilaya ? 0 : 1,
}))

const members = Map.groupBy(algeria.cities, ({ stateCode }) => Number(stateCode))

/** Numbered as the carrier does: the wilaya, then two digits. The last commune of a large wilaya is not served. */
export const communes = wilayas.flatMap((wilaya) =>
  (members.get(wilaya.id) ?? []).map(({ code, name }, index, all) => ({
    id: Number(code),
    name,
    wilaya_id: wilaya.id,
    wilaya_name: wilaya.name,
    has_stop_desk: index === 0 ? 1 : 0,
    is_deliverable: all.length > 20 && index === all.length - 1 ? 0 : 1,
    delivery_time_parcel: wilaya.zone * 2,
    delivery_time_payment: wilaya.zone * 3,
  })),
)

export const centers = communes
  .filter(({ has_stop_desk }) => has_stop_desk === 1)
  .map((commune) => ({
    center_id: commune.id * 100 + 1,
    name: `Agence de ${commune.name}`,
    address: `1 rue principale, ${commune.name}`,
    gps: `${(36 - commune.wilaya_id / 10).toFixed(4)},${(3 + commune.wilaya_id / 100).toFixed(4)}`,
    commune_id: commune.id,
    commune_name: commune.name,
    wilaya_id: commune.wilaya_id,
    wilaya_name: commune.wilaya_name,
  }))

/** Made-up prices: what counts is their form. */
export function fees(fromId: number, toId: number) {
  const [from, to] = [wilayas[fromId - 1], wilayas[toId - 1]]
  if (!from || !to) return undefined
  const base = fromId === toId ? 300 : 300 + to.zone * 150
  const rows = communes
    .filter(({ wilaya_id }) => wilaya_id === toId)
    .map(({ id, name, has_stop_desk }) => ({
      commune_id: id,
      commune_name: name,
      express_home: base + (id % 3) * 50,
      express_desk: has_stop_desk ? base - 100 : null,
      economic_home: to.zone > 2 ? base - 50 : null,
      economic_desk: null,
    }))
  return {
    from_wilaya_name: from.name,
    to_wilaya_name: to.name,
    zone: to.zone,
    retour_fee: 200,
    cod_percentage: 1,
    insurance_percentage: 1.5,
    oversize_fee: 50,
    per_commune: Object.fromEntries(rows.map((row) => [String(row.commune_id), row])),
  }
}
