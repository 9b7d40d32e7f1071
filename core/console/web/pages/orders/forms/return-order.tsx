import '../../../styles/order-form.css'
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useCreationHeader } from '../../../api/idempotency.ts'
import { queries } from '../../../api/queries.ts'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure, problemOf } from '../../../ui/failure.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { readAmount } from '../../../words/numbers.ts'
import { t } from '../../../words/words.ts'
import { chosenItems, countItems, type ItemCounts, ItemQuantities } from './fields/item-quantities.tsx'
import { LineEditor } from './fields/line-editor.tsx'
import { refreshOrders } from './refresh-orders.ts'
import { itemsOf, type LineValues } from './values/order-values.ts'

type Order = Schemas['OrderDetails']

const mutationKey = ['orders', 'return']

/** Returns the goods that the customer has and no return awaits, by line. */
export function returnableItems(order: Order): ItemCounts {
  const awaited = order.returns.filter(({ status }) => status === 'awaited').flatMap(({ items }) => items)
  const awaitedOf = (line: number) => awaited.reduce((sum, { item, quantity }) => sum + (item === line ? quantity : 0), 0)
  return countItems(order, ({ item, delivered }) => delivered - awaitedOf(item))
}

interface ReturnValues {
  readonly chosen: ItemCounts
  readonly when: 'received' | 'awaited'
  readonly restock: boolean
  readonly note: string
  readonly isExchange: boolean
  readonly lines: readonly LineValues[]
  readonly credit: string
  readonly atTheDoor: boolean
}

/** Returns the request for a return, with the goods that are sent instead. */
function requestOf(order: Order, { chosen, when, restock, note, isExchange, lines, credit, atTheDoor }: ReturnValues) {
  const amount = readAmount(credit)
  const exchange = {
    items: itemsOf(lines),
    ...(amount !== undefined && { credit: amount }),
    atTheDoor: when === 'received' || atTheDoor,
  }
  return {
    storeId: order.storeId,
    orderId: order.id,
    items: chosenItems(chosen),
    received: when === 'received',
    // Whether awaited goods go back into stock is decided when they arrive.
    ...(when === 'received' && { restock }),
    note: note.trim(),
    ...(isExchange && { exchange }),
  }
}

interface ReturnOrderProps {
  readonly order: Order
  readonly onClose: () => void
}

/** Records goods that a customer gave back, or will send back, and sends other goods instead where that is wanted. */
export function ReturnOrderDialog({ order, onClose }: ReturnOrderProps) {
  const most = returnableItems(order)
  const [values, setValues] = useState<ReturnValues>({
    chosen: most,
    when: 'received',
    restock: true,
    note: '',
    isExchange: false,
    lines: [],
    credit: '',
    atTheDoor: true,
  })
  const record = useRecordReturn(order, onClose)
  const change = (changed: Partial<ReturnValues>) => {
    record.reset()
    setValues((before) => ({ ...before, ...changed }))
  }
  const isComplete = chosenItems(values.chosen).length > 0 && !(values.isExchange && values.lines.length === 0)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete && queries.isMutating({ mutationKey }) === 0) record.mutate(values)
  }
  return (
    <Dialog shape="drawer" title={t('return.title', { reference: order.reference })} onClose={onClose}>
      <form class="dialog-form" onSubmit={submit} noValidate>
        <ItemQuantities order={order} most={most} chosen={values.chosen} onChange={(chosen) => change({ chosen })} />
        <Choices
          label={t('return.when')}
          value={values.when}
          choices={[
            ['received', t('return.received')],
            ['awaited', t('return.awaited')],
          ]}
          onChoose={(when) => change({ when })}
        />
        {values.when === 'received' && (
          <Check label={t('return.restock')} isChecked={values.restock} onChange={(restock) => change({ restock })} />
        )}
        <Field label={t('order.note')}>
          <textarea value={values.note} maxLength={2000} onInput={({ currentTarget }) => change({ note: currentTarget.value })} />
        </Field>
        <Exchange values={values} onChange={change} error={record.error} />
        <div class="dialog-foot">
          {record.error && <Failure error={record.error} />}
          <button type="submit" class="button primary" disabled={!isComplete || record.isPending}>
            {t(values.isExchange ? 'return.exchangeSubmit' : 'return.submit')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ExchangeProps {
  readonly values: ReturnValues
  readonly onChange: (change: Partial<ReturnValues>) => void
  readonly error: unknown
}

function Exchange({ values, onChange, error }: ExchangeProps) {
  return (
    <section class="stack">
      <Check label={t('return.exchange')} isChecked={values.isExchange} onChange={(isExchange) => onChange({ isExchange })} />
      {values.isExchange && (
        <>
          <LineEditor
            lines={values.lines}
            onChange={(lines) => onChange({ lines })}
            problemAt={(at) => problemOf(error, `exchange/items/${at}/quantity`) ?? problemOf(error, `exchange/items/${at}`)}
          />
          <Field label={t('return.credit')} hint={t('return.creditHint')} problem={problemOf(error, 'exchange/credit')}>
            <input inputMode="decimal" value={values.credit} onInput={({ currentTarget }) => onChange({ credit: currentTarget.value })} />
          </Field>
          {values.when === 'awaited' && (
            <Check label={t('return.atTheDoor')} isChecked={values.atTheDoor} onChange={(atTheDoor) => onChange({ atTheDoor })} />
          )}
        </>
      )}
    </section>
  )
}

interface CheckProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

const Check = ({ label, isChecked, onChange }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
)

function useRecordReturn(order: Order, onClose: () => void) {
  const { storeId } = useStore()
  const [, go] = useLocation()
  const headerOf = useCreationHeader()
  return useMutation({
    mutationKey,
    mutationFn: async (values: ReturnValues) => {
      const body = requestOf(order, values)
      return (await unwrap(api.POST('/v1/orders/return', { body, params: { header: headerOf(body) } }))).data
    },
    onSuccess: ({ exchange }) => {
      const open = exchange && { label: t('return.openExchange'), run: () => go(`/${storeId}/orders/${exchange.order.id}`) }
      showToast(t(exchange ? 'return.exchanged' : 'return.recorded'), open ?? undefined)
      onClose()
    },
    onSettled: () => refreshOrders(order.id),
  })
}
