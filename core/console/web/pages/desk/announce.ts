import { describeFailure } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toast.tsx'
import { isolate } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { Call, Desk, Outcome } from './desk.ts'

let removeLast = () => {}

/** Says what was recorded, with a button that undoes it. Only the last outcome can be undone: its message replaces the one before. */
export function announceOutcome(desk: Desk, outcome: Outcome, { order }: Call, { canUndo }: { readonly canUndo: boolean }): void {
  removeLast()
  const text = t('desk.done', { outcome: t(`desk.past.${outcome}`), name: isolate(order.customer.name) })
  removeLast = showToast(text, outcome === 'given_back' || !canUndo ? undefined : { label: t('undo'), run: () => undoOutcome(desk) })
}

/** Undoes the last outcome and removes its message. Says so when it is too late. */
export function undoOutcome(desk: Desk): void {
  removeLast()
  void desk.undo().catch((error) => showToast(describeFailure(error)))
}
