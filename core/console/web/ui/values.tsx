import { useStore } from '../session/store.tsx'
import { formatDay, formatMoment, formatMoney, formatPhone } from '../words/format.ts'
import { t } from '../words/words.ts'

/** Shows a name or another text of a customer in its own direction, cut at the end where it is too long. */
export const Name = ({ children, inline = false }: { readonly children: string; readonly inline?: boolean }) => (
  <bdi dir="auto" class={inline ? 'inline' : undefined} title={inline ? undefined : children}>
    {children}
  </bdi>
)

/** Shows a code, a reference or a tracking number, which always reads from left to right. */
export const Code = ({ children }: { readonly children: string }) => <span class="ltr">{children}</span>

interface MoneyProps {
  readonly amount: number
  /** Another currency than the store's, such as a carrier's. */
  readonly currency?: string | undefined
}

/** Shows an amount, in the currency of the store unless another is given. */
export const Money = ({ amount, currency }: MoneyProps) => (
  <span class="money">{formatMoney(amount, currency ?? useStore().currencyCode)}</span>
)

/** Shows a moment in the time zone of the store. */
export const Moment = ({ at }: { readonly at: string }) => <time dateTime={at}>{formatMoment(at, useStore().timeZone)}</time>

/** Shows the day of a moment in the time zone of the store. */
export const Day = ({ at }: { readonly at: string }) => <time dateTime={at}>{formatDay(at, useStore().timeZone)}</time>

/** Shows a phone number as a link that calls it. */
export const PhoneLink = ({ phone }: { readonly phone: string }) => (
  <a class="ltr" href={`tel:${phone}`}>
    {formatPhone(phone)}
  </a>
)

const toneOfOrder = {
  pending: 'wait',
  confirmed: 'go',
  unreachable: 'wait',
  postponed: 'wait',
  sent: 'go',
  out_for_delivery: 'go',
  delivered: 'ok',
  returning: 'bad',
  returned: 'bad',
  cancelled: 'over',
  lost: 'bad',
} as const

/** Status of an order. */
export type OrderStatus = keyof typeof toneOfOrder

/** Shows the status of an order: a dot and a word, in the colour of what it means. */
export const OrderStatusTag = ({ status }: { readonly status: OrderStatus }) => (
  <span class={`status ${toneOfOrder[status]}`}>{t(`status.${status}`)}</span>
)
