import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { AUDIT_RETENTION_DAYS } from './audit.model.ts'

/** Audit log of stores. Features above write to it with `recordAudit`, in the transaction of the change. */
export default feature('audit', {
  partitions: [{ table: 'audit_entries', by: { column: 'id', ids: 'aud' }, weeks: 13, retentionDays: AUDIT_RETENTION_DAYS }],
  personalData: [
    eraseBySearch({
      table: 'audit_entries',
      owner: 'project',
      key: ['id'],
      columns: { before: 'json', after: 'json', thing: 'id' },
      created: 'created_at',
      kind: 'log',
    }),
  ],
})
