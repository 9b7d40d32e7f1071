import { useEffect, useRef, useState } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { changeOf, type Draft, draftOf, problemsOf } from './draft.ts'
import { type DraftTotal, useDraftTotal } from './use-total.ts'

type Order = Schemas['Order']
/** Part of an order that is corrected at once. */
export type Part = 'customer' | 'place' | 'items'

/** Correction of the order on the desk. */
export interface Correction extends DraftTotal {
  readonly order: Order
  readonly draft: Draft
  readonly open: ReadonlySet<Part>
  readonly isDirty: boolean
  readonly isSaving: boolean
  readonly failure: unknown
  /** True when the field must be filled in before saving, once saving was tried. */
  isMissing(field: keyof Draft): boolean
  toggle(part: Part): void
  edit(change: Partial<Draft>): void
  discard(): void
  /** Saves the draft. Returns false when it could not be saved; the page then says why. */
  save(): Promise<boolean>
}

/** Keeps the draft of the order on the desk. A new state of the order starts anew. */
export function useCorrection(order: Order, onSaved: (order: Order) => void): Correction {
  const [draft, setDraft] = useState(() => draftOf(order))
  const [open, setOpen] = useState<ReadonlySet<Part>>(new Set())
  const [isSaving, setSaving] = useState(false)
  const [isTried, setTried] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const change = changeOf(order, draft)
  const problems = problemsOf(draft, order)
  const total = useDraftTotal(order, draft)
  const reset = (to: Order) => {
    setDraft(draftOf(to))
    setOpen(new Set())
    setTried(false)
    setFailure(null)
  }
  const shownState = useRef(order.updatedAt)
  useEffect(() => {
    if (shownState.current === order.updatedAt) return
    shownState.current = order.updatedAt
    reset(order)
  }, [order.updatedAt])
  return {
    ...total,
    order,
    draft,
    open,
    isDirty: change !== null,
    isSaving,
    failure,
    isMissing: (field) => isTried && problems.has(field),
    toggle: (part) => setOpen((parts) => new Set(parts.has(part) ? [...parts].filter((each) => each !== part) : [...parts, part])),
    edit: (values) => {
      setFailure(null)
      setDraft((current) => ({ ...current, ...values }))
    },
    discard: () => reset(order),
    async save() {
      if (change === null) return true
      setTried(true)
      if (problems.size > 0) return false
      setSaving(true)
      try {
        const { data } = await unwrap(
          api.PATCH('/v1/orders/{id}', { params: { path: { id: order.id } }, body: change, headers: { 'if-match': `"${order.version}"` } }),
        )
        reset(data)
        onSaved(data)
        return true
      } catch (error) {
        setFailure(error)
        return false
      } finally {
        setSaving(false)
      }
    },
  }
}
