import { useCarrierNames } from '../../api/carriers.ts'
import { Money, Name } from '../../ui/values.tsx'
import { formatNumber, t } from '../../words/words.ts'
import type { PlannedOrder } from './send-data.ts'

/** Carriers of the plan, each with its orders in numbers. */
export function PlanTable({ orders }: { readonly orders: readonly PlannedOrder[] }) {
  const nameOf = useCarrierNames()
  const byCarrier = [...Map.groupBy(orders, ({ carrier }) => carrier ?? '')].toSorted(([, a], [, b]) => b.length - a.length)
  return (
    <table class="table plan">
      <thead>
        <tr>
          <th scope="col">{t('send.carrier')}</th>
          <th scope="col" class="end">
            {t('send.orders')}
          </th>
          <th scope="col" class="end">
            {t('send.toCollect')}
          </th>
        </tr>
      </thead>
      <tbody>
        {byCarrier.map(([carrier, some]) => (
          <tr key={carrier}>
            <th scope="row">
              <Name inline>{nameOf(carrier)}</Name>
            </th>
            <td class="end">{formatNumber(some.length)}</td>
            <td class="end">
              <Money amount={some.reduce((sum, { toCollect }) => sum + toCollect, 0)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
