import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { t } from '../../../words/words.ts'
import { useAdapterNames, useHolders } from '../cash-data.ts'
import { cashPath, payoutPath } from '../paths.ts'
import { CheckResult } from './check-result.tsx'
import { ColumnTable } from './column-table.tsx'
import { DropZone } from './drop-zone.tsx'
import { type Columns, type PayoutFile, useCheck, useImport } from './import-data.ts'

/** Takes a payout file of a carrier: shows how it is understood and what it says, and imports it. */
export function ImportPage({ carrier }: { readonly carrier: string }) {
  const { storeId, currencyCode } = useStore()
  const [, go] = useLocation()
  const name = useAdapterNames()(carrier)
  const { data: holders } = useHolders()
  const currency = holders?.find(({ key }) => key === carrier)?.currency ?? currencyCode
  const [chosen, setChosen] = useState<PayoutFile | null>(null)
  const check = useCheck(carrier)
  const open = (id: string) => go(payoutPath(storeId, { carrier, id }))
  const create = useImport(carrier, open)
  const look = (next: PayoutFile) => {
    setChosen(next)
    create.reset()
    check.mutate(next)
  }
  const checked = chosen === null ? undefined : check.data
  return (
    <main class="page cash" aria-busy={check.isPending || create.isPending}>
      <Link class="back-link" href={cashPath(storeId)}>
        <Icon name="back" size={16} />
        {t('cash.back')}
      </Link>
      <div class="page-head">
        <h1>{t('cash.importFor', { carrier: name })}</h1>
      </div>
      <DropZone file={chosen?.file ?? null} onChoose={(file) => look({ file, columns: null })} />
      <p role="status">{check.isPending && t('cash.checking')}</p>
      {check.error && <Failure error={check.error} />}
      {chosen && checked && (
        <>
          <ColumnTable check={checked} carrier={name} onChange={(columns: Columns) => look({ ...chosen, columns })} />
          <CheckResult
            check={checked}
            currency={currency}
            isPending={check.isPending || create.isPending}
            onImport={() => create.mutate(chosen)}
            onOpen={open}
          />
        </>
      )}
      {create.error && <Failure error={create.error} />}
    </main>
  )
}
