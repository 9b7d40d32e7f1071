import type { ActorKind } from '../../data/tenant-context.ts'
import { type CodeLabel, type CsvColumn, codeColumn, csvColumn } from '../../http/table/csv-export.ts'
import type { AuditEntry } from './audit.model.ts'

const actorLabels: Readonly<Record<ActorKind, CodeLabel>> = {
  person: ['Personne', 'شخص'],
  key: ['Clé API', 'مفتاح برمجي'],
  connector: ['Boutique connectée', 'متجر متصل'],
  carrier: ['Transporteur', 'شركة التوصيل'],
  public: ['Public', 'العموم'],
  system: ['Système', 'النظام'],
}

const jsonText = (values: AuditEntry['before']) => (values === null ? null : JSON.stringify(values))

/** Columns of the audit log's CSV export. Values before and after are JSON. */
export const auditColumns: readonly CsvColumn<AuditEntry>[] = [
  csvColumn('Date', 'Date', 'التاريخ', ({ createdAt }) => createdAt),
  csvColumn('Change', 'Changement', 'التغيير', ({ what }) => what),
  csvColumn('Changed id', 'Identifiant modifié', 'المعرف المعدل', ({ thing }) => thing),
  codeColumn(['Actor', 'Auteur', 'الفاعل'], actorLabels, ({ by }) => by.kind),
  csvColumn('Name', 'Nom', 'الاسم', ({ by }) => by.name),
  csvColumn('Actor id', "Identifiant de l'auteur", 'معرف الفاعل', ({ by }) => by.id),
  csvColumn('App', 'Application', 'التطبيق', ({ by }) => by.appName ?? by.appId),
  csvColumn('Administrator', 'Administrateur', 'المشرف', ({ by }) => by.administrator?.name ?? by.administrator?.id),
  csvColumn('Before', 'Avant', 'قبل', ({ before }) => jsonText(before)),
  csvColumn('After', 'Après', 'بعد', ({ after }) => jsonText(after)),
  csvColumn('Entry id', "Identifiant de l'entrée", 'معرف القيد', ({ id }) => id),
]
