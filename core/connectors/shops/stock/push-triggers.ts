import type { Trigger } from '../../../data/triggers.ts'

const WHY = `Marks the shop's order, so that the job connectors.pushStatusDue tells the shop its new status. Parcels move in bulk; most of them came
  from no shop, which the trigger finds with one index lookup.`

/** Triggers that mark the orders whose status a connected shop must be told. */
export const pushTriggers: readonly Trigger[] = [
  { table: 'connector_orders', name: 'connectors_waits', on: ['insert'], function: 'connectors_mark_known', why: WHY },
  { table: 'connector_orders', name: 'connectors_settled', on: ['update'], function: 'connectors_mark_known', why: WHY },
  { table: 'parcels', name: 'connectors_numbered', on: ['update'], function: 'connectors_mark_numbered', why: WHY },
]
