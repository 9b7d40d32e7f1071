import type { ConsistencyCheck } from '../data/checks.ts'
import { underWayStatuses } from '../logistics/parcels/lifecycle/transitions.ts'
import {
  listActiveDeletedStores,
  listOutdatedParcels,
  listParcelStatusMismatches,
  listPartReservationMismatches,
  listPartStatusMismatches,
  listReservationMismatches,
  listReturnMismatches,
  listTimelineMismatches,
} from './checks.queries.ts'
import { listCopyMismatches } from './search/search-rows.queries.ts'

/** Rules between orders, their stock, parcels and timelines. */
export const orderChecks: readonly ConsistencyCheck[] = [
  { rule: 'An order holds the stock that its status needs', find: listReservationMismatches },
  { rule: 'The last step of a timeline is the status of its parcel', find: listTimelineMismatches },
  { rule: 'A parcel on its way was made from the present state of its order', find: listOutdatedParcels },
  { rule: 'The status of an order follows its parcel', find: listParcelStatusMismatches },
  { rule: 'A part of an order holds the stock that its parcel needs', find: listPartReservationMismatches },
  { rule: 'The status of a divided order follows its parcels', find: listPartStatusMismatches },
  { rule: 'Returned quantities agree with the lines of the order', find: listReturnMismatches },
  { rule: 'The copy of an order that lists search equals the order', find: listCopyMismatches },
  {
    rule: 'A deleted store has no parcel on its way and no working API key',
    find: (sql, limit) => listActiveDeletedStores(sql, limit, underWayStatuses),
  },
]
