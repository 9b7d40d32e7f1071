import type { CarrierPayout } from './cash-data.ts'

/** Returns the path of the page of cash. */
export const cashPath = (storeId: string): string => `/${storeId}/cash`

/** Returns the path of a payout. The id is the carrier's own and may contain anything, so it is not part of the path. */
export const payoutPath = (storeId: string, { carrier, id }: Pick<CarrierPayout, 'carrier' | 'id'>): string =>
  `/${storeId}/cash/payout?${new URLSearchParams({ carrier, id })}`

/** Returns the path at which a payout file of a carrier is imported. */
export const importPath = (storeId: string, carrier: string): string => `/${storeId}/cash/import?${new URLSearchParams({ carrier })}`

/** Returns the path of a transfer of a gateway. */
export const gatewayPayoutPath = (storeId: string, id: string): string => `/${storeId}/cash/gateway?${new URLSearchParams({ id })}`
