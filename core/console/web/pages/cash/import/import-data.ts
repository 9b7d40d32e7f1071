import { useMutation } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import { api, type Schemas, upload } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { refreshCash } from '../cash-data.ts'

/** Result of the check of a payout file. */
export type Check = Schemas['CheckedPayout']
/** Heading of the column of each field. */
export type Columns = Check['columns']
/** Field of a line that a file can have a column for. */
export type Field = keyof Columns

/** Fields in the order in which they are offered. */
export const fields = ['tracking', 'reference', 'amount', 'fee', 'net'] as const satisfies readonly Field[]

/** File with the columns that the user has chosen; without them the server understands them by itself. */
export interface PayoutFile {
  readonly file: File
  readonly columns: Columns | null
}

function formOf({ file, columns }: PayoutFile): FormData {
  const form = new FormData()
  form.append('file', file)
  if (columns !== null) form.append('columns', JSON.stringify(columns))
  return form
}

/** Checks a payout file, which changes nothing. Calls back with the result of the newest check. */
export function useCheck(carrier: string, onDone: (check: Check) => void) {
  const { storeId } = useStore()
  const newest = useRef<PayoutFile | null>(null)
  return useMutation({
    mutationFn: async (chosen: PayoutFile) => {
      const params = { path: { storeId, key: carrier } }
      const path = '/v1/stores/{storeId}/integrations/{key}/encaissements/check'
      newest.current = chosen
      return (await unwrap(api.POST(path, { params, ...upload(formOf(chosen)) }))).data
    },
    onSuccess: (check, chosen) => {
      if (newest.current === chosen) onDone(check)
    },
  })
}

/** Imports a payout file. The same file again is the same payout. */
export function useImport(carrier: string, onDone: (payoutId: string) => void) {
  const { storeId } = useStore()
  return useMutation({
    mutationFn: async (chosen: PayoutFile) => {
      const params = { path: { storeId, key: carrier } }
      const path = '/v1/stores/{storeId}/integrations/{key}/encaissements/import'
      return (await unwrap(api.POST(path, { params, ...upload(formOf(chosen)) }))).data
    },
    onSuccess: ({ id }) => onDone(id),
    onSettled: () => refreshCash(storeId),
  })
}

/** Returns the columns after the user has said what a column is. A field has one column, and a column one field. */
export function chooseField(columns: Columns, heading: string, field: Field | null): Columns {
  const others = Object.entries(columns).filter(([name, of]) => of !== heading && name !== field)
  return Object.fromEntries(field === null ? others : [...others, [field, heading]])
}
