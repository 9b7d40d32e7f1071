import type { Trigger, TriggerEvent } from '../../data/triggers.ts'

const WHY = `Appends the change to order_changes, whose readers follow within a second. It happens in many places and in bulk; a subscriber
  would cost a round trip for each.`

const appending = (table: string, name: string, on: readonly TriggerEvent[]): Trigger => ({
  table,
  name,
  on,
  function: 'order_change_append',
  why: WHY,
})

/** Triggers that append to the record of changes. An order has one; its parcels and tags append to the changes of their order. */
export const changeTriggers: readonly Trigger[] = [
  { table: 'orders', name: 'records_change', on: ['insert', 'update'], function: 'order_change_record', why: WHY },
  appending('order_tags', 'appends_tag', ['insert', 'update', 'delete']),
  appending('parcels', 'appends_new', ['insert']),
  appending('parcels', 'appends_change', ['update']),
  appending('parcels', 'appends_removal', ['delete']),
]
