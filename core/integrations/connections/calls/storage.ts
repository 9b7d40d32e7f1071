import type { AdapterStorage } from '../../../../plugins/adapter.ts'
import type { Sql } from '../../../data/sql.ts'
import type { ConnectionRef } from '../connections.model.ts'
import {
  deleteStoredValue,
  findStoredValue,
  insertStoredValue,
  listStoredValues,
  updateStoredValue,
  upsertStoredValue,
} from './storage.queries.ts'

const MEMORY_BYTES_MAX = 64 * 1024

/** Creates the key-value storage of one connection, for its adapter. Throws `RangeError` for a value of more than 64 KiB of JSON. */
export function storageOf(sql: Sql, connection: ConnectionRef): AdapterStorage {
  const checked = (value: unknown) => {
    if (JSON.stringify(value ?? null).length > MEMORY_BYTES_MAX)
      throw new RangeError(`A stored value may have at most ${MEMORY_BYTES_MAX} bytes.`)
    return value ?? null
  }
  return {
    get: (key) => findStoredValue(sql, connection, key),
    set: async (key, value) => void (await upsertStoredValue(sql, connection, key, checked(value))),
    add: (key, value) => insertStoredValue(sql, connection, key, checked(value)),
    replace: (key, expected, value) => updateStoredValue(sql, connection, key, expected ?? null, checked(value)),
    delete: async (key) => void (await deleteStoredValue(sql, connection, key)),
    list: async (prefix, { after = '', limit = 100 } = {}) => [
      ...(await listStoredValues(sql, connection, prefix, after, Math.min(limit, 1000))),
    ],
  }
}
