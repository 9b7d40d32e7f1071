import type { Trigger, TriggerEvent } from '../../data/triggers.ts'

const WHY = `Notes the order's day in analytics_marks, so that the job analytics.fold counts that day again. Parts, returns and parcels change in
  many places and in bulk; a subscriber would cost a round trip for each of them.`

const marking = (table: string, name: string, on: readonly TriggerEvent[], called: string): Trigger => ({
  table,
  name,
  on,
  function: called,
  why: WHY,
})

/** Triggers that mark the days whose figures must be counted again. */
export const countingTriggers: readonly Trigger[] = [
  marking('order_parts', 'marks_part', ['insert', 'update'], 'analytics_mark_order'),
  marking('order_part_lines', 'marks_part_line', ['update'], 'analytics_mark_order'),
  marking('order_returns', 'marks_return', ['insert', 'update'], 'analytics_mark_order'),
  marking('parcels', 'marks_parcel', ['update'], 'analytics_mark_parcel'),
]
