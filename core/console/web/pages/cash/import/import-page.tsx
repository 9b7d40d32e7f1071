import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { useHolderNames } from '../../../api/carriers.ts'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { t } from '../../../words/words.ts'
import { useHolders } from '../cash-data.ts'
import { cashPath, payoutPath } from '../paths.ts'
import { CheckResult } from './check-result.tsx'
import { ColumnTable } from './column-table.tsx'
import { DropZone } from './drop-zone.tsx'
import { type Check, type Columns, type PayoutFile, useCheck, useImport } from './import-data.ts'

/** Takes a payout file of a carrier: shows how it is understood and what it says, and imports it. */
export function ImportPage({ carrier }: { readonly carrier: string }) {
  const { storeId, currencyCode } = useStore()
  const [, go] = useLocation()
  const name = useHolderNames()(carrier)
  const { data: holders } = useHolders()
  const currency = holders?.find(({ key }) => key === carrier)?.currency ?? currencyCode
  const [chosen, setChosen] = useState<PayoutFile | null>(null)
  // The table of columns stays while the file is checked again, so that the focus stays in it.
  const [checked, setChecked] = useState<Check | null>(null)
  const check = useCheck(carrier, setChecked)
  const open = (id: string) => go(payoutPath(storeId, { carrier, id }))
  const create = useImport(carrier, open)
  const checkFile = (next: PayoutFile) => {
    setChosen(next)
    create.reset()
    check.mutate(next)
  }
  const chooseFile = (file: File) => {
    setChecked(null)
    checkFile({ file, columns: null })
  }
  const chooseColumns = (file: File, columns: Columns) => {
    // Without any column there is nothing to check yet.
    if (Object.keys(columns).length > 0) checkFile({ file, columns })
    else setChosen({ file, columns })
  }
  const isMapped = chosen?.columns === null || Object.keys(chosen?.columns ?? {}).length > 0
  return (
    <main class="page cash" aria-busy={check.isPending || create.isPending}>
      <Link class="back-link" href={cashPath(storeId)}>
        <Icon name="back" size={16} />
        {t('cash.back')}
      </Link>
      <div class="page-head">
        <h1>{t('cash.importFor', { carrier: name })}</h1>
      </div>
      <DropZone file={chosen?.file ?? null} onChoose={chooseFile} />
      <p role="status">{check.isPending && t('cash.checking')}</p>
      {check.error && <Failure error={check.error} />}
      {chosen && checked && (
        <>
          <ColumnTable
            check={checked}
            columns={chosen.columns ?? checked.columns}
            carrier={name}
            onChange={(columns) => chooseColumns(chosen.file, columns)}
          />
          {isMapped && !check.error && (
            <CheckResult
              check={checked}
              currency={currency}
              isPending={check.isPending || create.isPending}
              onImport={() => create.mutate(chosen)}
              onOpen={open}
            />
          )}
        </>
      )}
      {create.error && <Failure error={create.error} />}
    </main>
  )
}
