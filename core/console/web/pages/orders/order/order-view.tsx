import type { ComponentChildren } from 'preact'
import { RiskTag } from '../../../ui/risk.tsx'
import { Code, Moment, Money, Name, PhoneLink } from '../../../ui/values.tsx'
import { formatNumber, t } from '../../../words/words.ts'
import { OrderReturns } from '../forms/order-returns.tsx'
import { OrderComments } from './comments.tsx'
import type { OrderDetails } from './order-data.ts'
import { Parcels } from './parcels.tsx'
import { Payments } from './payments.tsx'
import { Section } from './section.tsx'
import { OrderTags } from './tags.tsx'
import { Calls, Timeline } from './timeline.tsx'

/** Everything about an order, from the customer to the history. */
export function OrderView({ order }: { readonly order: OrderDetails }) {
  return (
    <div class="order">
      <CustomerFacts order={order} />
      <Lines order={order} />
      {order.paymentStatus !== 'unpaid' && <Payments order={order} />}
      {order.note !== '' && (
        <Section title={t('orders.note')}>
          <p class="note" dir="auto">
            {order.note}
          </p>
        </Section>
      )}
      <Parcels order={order} />
      {order.returns.length > 0 && (
        <Section title={t('return.list')}>
          <OrderReturns order={order} />
        </Section>
      )}
      <OrderTags order={order} key={`tags ${order.id}`} />
      <OrderComments order={order} key={`comments ${order.id}`} />
      <Calls order={order} />
      <Timeline order={order} />
    </div>
  )
}

function CustomerFacts({ order }: { readonly order: OrderDetails }) {
  const { customer, destination, assignee, source, recipient, comments, createdAt } = order
  const place = [destination.address, destination.cityName, destination.stateName ?? destination.stateCode].filter(Boolean)
  return (
    <dl class="facts">
      <Fact name={t('orders.customer')}>
        <Name inline>{customer.name}</Name>
      </Fact>
      <Fact name={t('orders.phone')}>
        <PhoneLink phone={customer.phone} />
        {customer.phoneAlt !== null && (
          <>
            {' · '}
            <PhoneLink phone={customer.phoneAlt} />
          </>
        )}
      </Fact>
      {customer.email !== null && (
        <Fact name={t('orders.email')}>
          <Code>{customer.email}</Code>
        </Fact>
      )}
      <Fact name={t('orders.address')}>
        <Name inline>{place.join(', ')}</Name>
      </Fact>
      <Fact name={t('orders.delivery')}>{t(`orders.delivery.${destination.deliveryType}`)}</Fact>
      {recipient.delivered + recipient.returned + recipient.refused > 0 && (
        <Fact name={t('orders.record')}>
          {t('orders.recordText', { delivered: recipient.delivered, refused: recipient.refused + recipient.returned })}
          <RiskTag risk={recipient.risk} />
        </Fact>
      )}
      <Fact name={t('orders.assignee')}>{assignee?.name != null ? <Name inline>{assignee.name}</Name> : t('orders.nobody')}</Fact>
      <Fact name={t('orders.created')}>
        <Moment at={createdAt} /> · {t(`orders.source.${source}`)}
        {comments > 0 && ` · ${t('orders.comments', { count: comments })}`}
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Lines({ order: { items, totals, paid, promoCode } }: { readonly order: OrderDetails }) {
  return (
    <table class="card lines">
      <caption class="visually-hidden">{t('orders.goods')}</caption>
      <tbody>
        {items.map(({ name, sku, quantity, unitPrice, total }, at) => (
          <tr key={at}>
            <th scope="row">
              <Name inline>{name}</Name> {quantity > 1 && <span class="ltr small muted">×{formatNumber(quantity)}</span>}
              {(sku !== null || quantity > 1) && (
                <span class="small muted block">
                  {sku !== null && <Code>{sku}</Code>}
                  {sku !== null && quantity > 1 && ' · '}
                  {quantity > 1 && <Money amount={unitPrice} />}
                </span>
              )}
            </th>
            <td class="end">
              <Money amount={total} />
            </td>
          </tr>
        ))}
        <Sum name={t('orders.deliveryPrice')} amount={totals.delivery} />
        {totals.discount > 0 && (
          <Sum name={promoCode === null ? t('orders.discount') : t('orders.promo', { code: promoCode })} amount={-totals.discount} />
        )}
        <Sum name={t('orders.total')} amount={totals.total} isMain />
        {paid > 0 && <Sum name={t('orders.paid')} amount={-paid} />}
        {paid > 0 && <Sum name={t('orders.toCollect')} amount={Math.max(0, totals.total - paid)} isMain />}
      </tbody>
    </table>
  )
}

interface SumProps {
  readonly name: string
  readonly amount: number
  readonly isMain?: boolean
}

const Sum = ({ name, amount, isMain = false }: SumProps) => (
  <tr class={isMain ? 'main' : undefined}>
    <th scope="row">{name}</th>
    <td class="end">
      <Money amount={amount} />
    </td>
  </tr>
)
