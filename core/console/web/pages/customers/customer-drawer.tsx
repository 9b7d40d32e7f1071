import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { RiskNotice } from '../../ui/risk.tsx'
import { Code, Moment, Money, Name, OrderStatusTag } from '../../ui/values.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { BlockedPhone } from './blocked-phone.tsx'
import { type Customer, useCustomer, useOrdersOf } from './customer-data.ts'
import { EraseCustomerDialog } from './erase-customer.tsx'
import { MergeCustomerDialog } from './merge-customer.tsx'

interface CustomerDrawerProps {
  readonly customerId: string
  readonly onClose: () => void
}

/** Shows a customer over the list: how to reach them, how their orders ended, and what can be done. */
export function CustomerDrawer({ customerId, onClose }: CustomerDrawerProps) {
  const { data: customer, error } = useCustomer(customerId)
  return (
    <Dialog shape="drawer" title={customer?.name ?? t('nav.customers')} onClose={onClose}>
      {error && <Failure error={error} />}
      {customer ? <CustomerView customer={customer} onClose={onClose} /> : <span class="skeleton" aria-busy={error === null} />}
    </Dialog>
  )
}

function CustomerView({ customer, onClose }: { readonly customer: Customer; readonly onClose: () => void }) {
  const { phones, email, createdAt, outcomes, risk } = customer
  return (
    <div class="customer">
      <RiskNotice risk={risk} />
      <dl class="facts">
        <Fact name={t('customers.phone')}>
          {phones.map((phone) => (
            <BlockedPhone key={phone} phone={phone} />
          ))}
        </Fact>
        {email !== null && (
          <Fact name={t('customers.email')}>
            <Code>{email}</Code>
          </Fact>
        )}
        <Fact name={t('customers.since')}>
          <Moment at={createdAt} />
        </Fact>
        <Fact name={t('customers.spent')}>
          <Money amount={outcomes.spent} />
        </Fact>
      </dl>
      <Outcomes outcomes={outcomes} />
      <Orders customer={customer} />
      <Actions customer={customer} onClose={onClose} />
    </div>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const counted = ['orders', 'open', 'delivered', 'returned', 'cancelled'] as const

const Outcomes = ({ outcomes }: Pick<Customer, 'outcomes'>) => (
  <dl class="outcomes card">
    {counted.map((name) => (
      <div key={name}>
        <dt>{t(`customers.${name}`)}</dt>
        <dd>{formatNumber(outcomes[name])}</dd>
      </div>
    ))}
  </dl>
)

function Orders({ customer }: { readonly customer: Customer }) {
  const { storeId } = useStore()
  const { data: orders = [], error, isPending } = useOrdersOf(customer)
  return (
    <section class="stack">
      <h3>{t('customers.ordersTitle')}</h3>
      {error && <Failure error={error} />}
      {isPending && <span class="skeleton" />}
      {orders.length > 0 && (
        <ul class="customer-orders card">
          {orders.map(({ id, reference, status, items, totals, createdAt }) => (
            <li key={id}>
              <Link href={`/${storeId}/orders/${id}`}>
                <Code>{reference}</Code>
              </Link>
              <Name>{items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${quantity}` : name)).join(', ')}</Name>
              <OrderStatusTag status={status} />
              <Money amount={totals.total} />
              <Moment at={createdAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Actions({ customer, onClose }: { readonly customer: Customer; readonly onClose: () => void }) {
  const { storeId, can } = useStore()
  const [form, setForm] = useState<'merge' | 'erase' | null>(null)
  return (
    <div class="dialog-foot">
      {can('changeOrder') && (
        <Link class="button primary" href={`/${storeId}/orders/new?${new URLSearchParams({ phone: customer.phone })}`}>
          {t('order.new')}
        </Link>
      )}
      {can('mergeCustomers') && (
        <button type="button" class="button" onClick={() => setForm('merge')}>
          {t('customers.merge')}
        </button>
      )}
      {can('exportCustomer') && (
        <a class="button" href={`/v1/stores/${storeId}/customers/${customer.id}/export`} download>
          {t('customers.export')}
        </a>
      )}
      {can('eraseCustomer') && (
        <button type="button" class="button danger" onClick={() => setForm('erase')}>
          {t('customers.erase')}
        </button>
      )}
      {form === 'merge' && <MergeCustomerDialog customer={customer} onClose={() => setForm(null)} />}
      {form === 'erase' && <EraseCustomerDialog customer={customer} onClose={() => setForm(null)} onErased={onClose} />}
    </div>
  )
}
