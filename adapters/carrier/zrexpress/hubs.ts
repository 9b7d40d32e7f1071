import {
  type Center,
  chosenDesk,
  isRow,
  named,
  pointAt,
  present,
  type Row,
  rememberedGroup,
  rewritten,
  type Shipment,
  text,
  type Warning,
  yes,
} from 'serai/carrier'
import { all } from './api.ts'
import type { Context } from './fields.ts'
import { communesOf, type Territory, wilayasNamed } from './territories.ts'

/** Pickup place. Its id is not a territory id. */
interface Hub {
  readonly id: string
  readonly name: string
  readonly wilayaId: string
  readonly communeId?: string
  readonly commune: string
  readonly street: string
  readonly latitude?: number
  readonly longitude?: number
  readonly phone?: string
}

const kind = 'hubs'

export const hubsKey = (wilayaId: string) => `${kind}:${wilayaId}`

const hubsOf = (context: Context, wilayaId: string) =>
  rememberedGroup(
    context,
    kind,
    wilayaId,
    (hub: Hub) => hub.wilayaId,
    async () => (await all(context, 'hubs', { onlySortingCentersWhenAvailable: false, includeServices: false })).flatMap(hubIn),
  )

/** Reads a hub; leaves out hidden ones, and sorting and return centers, which hand out no parcels. */
function hubIn(row: Row): Hub[] {
  const address = isRow(row.address) ? row.address : {}
  const [id, name, wilayaId] = [text(row.id), text(row.name), text(address.cityTerritoryId)]
  if (!id || !name || !wilayaId || !yes(row.isPickupPoint) || row.isVisible === false) return []
  const optional = { communeId: text(address.districtTerritoryId), phone: phoneIn(row.phone), ...pointIn(address.coordinates) }
  return [{ id, name, wilayaId, commune: text(address.district) ?? '', street: text(address.street) ?? '', ...present(optional) }]
}

const phoneIn = (phone: unknown) => (isRow(phone) ? (text(phone.number1) ?? text(phone.number2)) : undefined)

const pointIn = (value: unknown) => (isRow(value) ? pointAt(value.latitude, value.longitude) : {})

/** Lists the stop desks. */
export async function centers(context: Context, query: { stateId?: string }): Promise<Center[]> {
  const wilayas = await wilayasNamed(context, query.stateId)
  const groups = await Promise.all(wilayas.map(({ id }) => hubsOf(context, id)))
  return groups.flat().map(({ wilayaId, commune, street, communeId: _, ...hub }) => ({
    ...hub,
    stateId: wilayaId,
    cityName: commune,
    address: street,
  }))
}

export interface Stop {
  readonly hubId: string
  readonly communeId: string
  readonly street: string
  readonly warnings: Warning[]
}

/** Builds the destination of a hub, with its own commune and street. */
export async function stopAt(context: Context, destination: Shipment['destination'], wilaya: Territory): Promise<Stop> {
  const { pickupId, cityName } = destination
  const hub = await chosenDesk(
    pickupId,
    'hub',
    () => hubsOf(context, wilaya.id),
    ({ id }) => id,
  )
  const commune = hub.commune || cityName
  const communeId = hub.communeId ?? named(await communesOf(context, wilaya.id), commune, `commune of ${wilaya.name}`).id
  return {
    hubId: hub.id,
    communeId,
    street: hub.street || commune,
    warnings: rewritten('hub', commune, cityName),
  }
}
