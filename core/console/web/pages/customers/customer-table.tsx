import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useKeys } from '../../ui/keys.ts'
import { RiskTag } from '../../ui/risk.tsx'
import { Moment, Money, Name, PhoneLink } from '../../ui/values.tsx'
import { formatNumber, t } from '../../words/words.ts'
import type { Customer } from './customer-data.ts'

interface CustomerTableProps {
  readonly rows: readonly Customer[]
  readonly hrefOf: (id: string) => string
  readonly onOpen: (id: string) => void
  /** False while a customer is open over the list. */
  readonly isActive: boolean
}

/** Table of customers. `j` and `k` move through it, Enter opens; on a phone each customer has two lines. */
export function CustomerTable({ rows, hrefOf, onOpen, isActive }: CustomerTableProps) {
  const [at, setAt] = useState(-1)
  const body = useRef<HTMLTableSectionElement>(null)
  const move = (step: number) => () => setAt((before) => Math.min(rows.length - 1, Math.max(0, before + step)))
  useKeys({ j: move(1), k: move(-1) }, { isActive })
  useLayoutEffect(() => {
    if (at >= 0) body.current?.querySelectorAll<HTMLElement>('a.row-link')[at]?.focus()
  }, [at])
  return (
    <table class="table customers">
      <thead>
        <tr>
          <th scope="col">{t('customers.name')}</th>
          <th scope="col">{t('customers.phone')}</th>
          <th scope="col" class="end">
            {t('customers.orders')}
          </th>
          <th scope="col" class="end">
            {t('customers.delivered')}
          </th>
          <th scope="col" class="end">
            {t('customers.returned')}
          </th>
          <th scope="col" class="end">
            {t('customers.spent')}
          </th>
          <th scope="col">{t('customers.last')}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <Row key={row.id} row={row} href={hrefOf(row.id)} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly row: Customer
  readonly href: string
  readonly onOpen: (id: string) => void
}

function Row({ row, href, onOpen }: RowProps) {
  const { id, name, phone, phones, outcomes, risk } = row
  const { orders, delivered, returned, spent, lastOrderAt } = outcomes
  return (
    <tr onClick={({ target }) => !(target instanceof Element && target.closest('a')) && onOpen(id)}>
      <th scope="row">
        <Link href={href} class="row-link">
          <Name>{name}</Name>
        </Link>
        <RiskTag risk={risk} />
      </th>
      <td>
        <PhoneLink phone={phone} />
        {phones.length > 1 && (
          <span class="muted small">
            {' '}
            <span class="ltr">+{phones.length - 1}</span>
          </span>
        )}
      </td>
      <td class="end" data-name={t('customers.orders')}>
        {formatNumber(orders)}
      </td>
      <td class="end" data-name={t('customers.delivered')}>
        {formatNumber(delivered)}
      </td>
      <td class="end" data-name={t('customers.returned')}>
        {formatNumber(returned)}
      </td>
      <td class="end">
        <Money amount={spent} />
      </td>
      <td>{lastOrderAt !== null && <Moment at={lastOrderAt} />}</td>
    </tr>
  )
}
