import { Name } from '../../../ui/values.tsx'
import { isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import { type Check, type Columns, chooseField, type Field, fields } from './import-data.ts'

interface ColumnTableProps {
  readonly check: Check
  /** Columns as the user has chosen them, or else as they were understood. */
  readonly columns: Columns
  readonly carrier: string
  readonly onChange: (columns: Columns) => void
}

/** First rows of the file, with the meaning of each column above it. */
export function ColumnTable({ check: { headings, rows }, columns, carrier, onChange }: ColumnTableProps) {
  const fieldOf = (heading: string) => fields.find((field) => columns[field] === heading)
  return (
    <section class="cash-section">
      <h2>{t('cash.columns')}</h2>
      <p class="muted">{t('cash.columnsHint', { carrier: isolate(carrier) })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard. */}
      <section class="scroll-x card" tabIndex={0} aria-label={t('cash.columns')}>
        <table class="table sample">
          <thead>
            <tr>
              {headings.map((heading, at) => (
                <th scope="col" key={at}>
                  {heading !== '' && (
                    <select
                      class="input"
                      aria-label={t('cash.columnOf', { name: isolate(heading) })}
                      value={fieldOf(heading) ?? ''}
                      onChange={({ currentTarget: { value } }) =>
                        onChange(chooseField(columns, heading, value === '' ? null : (value as Field)))
                      }
                    >
                      <option value="">{t('cash.field.none')}</option>
                      {fields.map((field) => (
                        <option key={field} value={field}>
                          {t(`cash.field.${field}`)}
                        </option>
                      ))}
                    </select>
                  )}
                  <Name>{heading}</Name>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, line) => (
              <tr key={line}>
                {headings.map((_, at) => (
                  <td key={at}>
                    <Name>{row[at] ?? ''}</Name>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
