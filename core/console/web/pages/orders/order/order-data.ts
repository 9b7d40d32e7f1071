import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { RequestError, unwrap } from '../../../api/errors.ts'
import { useStoreChanges } from '../../../api/live.ts'
import { queries } from '../../../api/queries.ts'
import { useStore } from '../../../session/store.tsx'
import { describeFailure } from '../../../ui/failure.tsx'
import { formatMoment } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import { refreshCounts } from '../list/filters/status-tabs.tsx'
import { changeRows } from '../list/order-list.ts'
import { rowOf } from '../list/row.ts'

/** Order with its history, parcels, returns and the record of its recipient. */
export type OrderDetails = Schemas['OrderDetails']

const keyOf = (orderId: string) => ['order', orderId]

/** Reads an order with everything that its page shows. */
export const readOrder = async (id: string): Promise<OrderDetails> =>
  (await unwrap(api.GET('/v1/orders/{id}', { params: { path: { id } } }))).data

/** Topics of changes that an order shows. Its parcels and payments have ids of their own. */
const topics = ['order']
const related = ['parcel', 'payment']

/** Reads an order for its page, again when somebody changes it, and shows what was read in its row of the list too. */
export function useOrder(orderId: string) {
  const order = useQuery({ queryKey: keyOf(orderId), queryFn: () => readOrder(orderId) })
  const { data } = order
  useStoreChanges(useStore().storeId, { topics, id: orderId, related, onChange: () => void order.refetch() })
  useEffect(() => {
    if (data) changeRows(data.storeId, (row) => (row.id === data.id ? { ...rowOf(data), isGone: row.isGone } : row))
  }, [data])
  return order
}

/** Reads an order anew after it was changed, and what counts it. */
export function refreshOrder(storeId: string, orderId: string): Promise<void> {
  refreshCounts(storeId)
  return queries.invalidateQueries({ queryKey: keyOf(orderId) })
}

/** Shows a change before the server has answered. Returns a function that takes it back. */
export function showAtOnce(orderId: string, change: Partial<OrderDetails>): () => void {
  const before = queries.getQueryData<OrderDetails>(keyOf(orderId))
  if (before) queries.setQueryData(keyOf(orderId), { ...before, ...change })
  return () => queries.setQueryData(keyOf(orderId), before)
}

/** Version of an order, as the header that lets a change count only while nobody else has changed the order. */
export const versionHeader = ({ version }: Pick<Schemas['Order'], 'version'>) => ({ 'if-match': `"${version}"` })

/**
 * Describes why an order could not be changed. When a colleague changed it since it was shown, says who, to what and when.
 * `seenAt` is the moment of the last change that was shown.
 */
export async function explainFailure(error: unknown, orderId: string, seenAt: string | undefined, timeZone: string): Promise<string> {
  if (!(error instanceof RequestError) || error.status !== 409) return describeFailure(error)
  const now = await readOrder(orderId).catch(() => undefined)
  const last = now?.history.at(-1)
  if (!now || !last) return describeFailure(error)
  queries.setQueryData(keyOf(orderId), now)
  const { name: editor, at: editedAt } = error.details.find(({ values }) => values?.at !== undefined)?.values ?? {}
  if (editedAt !== undefined) {
    const name = editor ?? t('orders.by.somebody')
    return t('orders.changedBy', { name, status: t(`status.${now.status}`), when: formatMoment(editedAt, timeZone) })
  }
  if (seenAt !== undefined && last.at <= seenAt) return describeFailure(error)
  const name = last.by.name ?? t(`orders.by.${last.by.kind}`)
  return t('orders.changedBy', { name, status: t(`status.${last.toStatus}`), when: formatMoment(last.at, timeZone) })
}
