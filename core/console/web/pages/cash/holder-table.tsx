import { Link } from 'wouter-preact'
import { useHolderNames } from '../../api/carriers.ts'
import { useStore } from '../../session/store.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Day, Money, Name } from '../../ui/values.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type Holder, LATE_DAYS } from './cash-data.ts'
import { importPath } from './paths.ts'

/** Table of the carriers and gateways with what each owes and since when. */
export function HolderTable({ holders }: { readonly holders: readonly Holder[] }) {
  const { storeId, can } = useStore()
  const nameOf = useHolderNames()
  const isImporter = can('importPayout')
  return (
    <table class="table holders">
      <thead>
        <tr>
          <th scope="col">{t('cash.holder')}</th>
          <th scope="col" class="end">
            {t('cash.owed')}
          </th>
          <th scope="col">{t('cash.since')}</th>
          <th scope="col" class="end">
            {t('cash.unpaid')}
          </th>
          <th scope="col" class="end">
            {t('cash.late')}
          </th>
          <th scope="col">{t('cash.lastPayout')}</th>
          {isImporter && (
            <th scope="col">
              <span class="visually-hidden">{t('cash.importFile')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {holders.map((holder) => (
          <tr key={holder.connectionId}>
            <th scope="row">
              <HolderName holder={holder} name={nameOf(holder.key)} />
            </th>
            <td class="end strong">
              <Money amount={holder.owed} currency={holder.currency} />
            </td>
            <td data-name={t('cash.since')}>{holder.since !== null && <Day at={holder.since} />}</td>
            <td class="end" data-name={t('cash.unpaid')}>
              {formatNumber(holder.unpaid)}
            </td>
            <td class="end" data-name={t('cash.late')}>
              <Late holder={holder} />
            </td>
            <td data-name={t('cash.lastPayout')}>{holder.lastPayoutAt !== null && <Day at={holder.lastPayoutAt} />}</td>
            {isImporter && (
              <td class="end">
                {holder.kind === 'carrier' && !holder.removed && (
                  <Link
                    class="button"
                    href={importPath(storeId, holder.key)}
                    aria-label={t('cash.importFor', { carrier: nameOf(holder.key) })}
                  >
                    <Icon name="file" />
                    {t('cash.importFile')}
                  </Link>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
      <Total holders={holders} />
    </table>
  )
}

/** Sum of what all owe, where they owe it in one currency. */
function Total({ holders }: { readonly holders: readonly Holder[] }) {
  const currencies = new Set(holders.map(({ currency }) => currency))
  const [currency] = currencies
  if (holders.length < 2 || currencies.size !== 1) return null
  return (
    <tfoot>
      <tr>
        <th scope="row">{t('cash.total')}</th>
        <td class="end strong">
          <Money amount={holders.reduce((sum, { owed }) => sum + owed, 0)} currency={currency} />
        </td>
      </tr>
    </tfoot>
  )
}

const HolderName = ({ holder, name }: { readonly holder: Holder; readonly name: string }) => (
  <>
    <Name inline>{holder.name === '' ? name : `${name} · ${holder.name}`}</Name>
    {!holder.enabled && <span class="status over">{t('cash.off')}</span>}
  </>
)

/** Money that is late, in the colour of what is bad. */
const Late = ({ holder: { aged, agedUnpaid, currency } }: { readonly holder: Holder }) =>
  agedUnpaid === 0 ? null : (
    <span class="bad-text" title={t('cash.lateParcels', { count: agedUnpaid, days: LATE_DAYS })}>
      <Money amount={aged} currency={currency} />
    </span>
  )
