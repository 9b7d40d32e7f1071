import { useStore } from '../../session/store.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatMonth } from '../../words/format.ts'
import { language, t } from '../../words/words.ts'
import { lastMonths, startOfMonth } from '../../words/zoned-time.ts'

const MONTHS = 12

/** Menu of the last months, each of which is the ledger of that month as a file. */
export function MonthMenu() {
  const { storeId, timeZone } = useStore()
  return (
    <Menu
      class="button"
      button={
        <>
          <Icon name="file" />
          {t('cash.month')}
        </>
      }
    >
      <p class="heading">{t('cash.monthChoose')}</p>
      {lastMonths(MONTHS, timeZone).map((month) => {
        const range = { from: startOfMonth(month, timeZone), to: startOfMonth({ ...month, month: month.month + 1 }, timeZone) }
        const query = new URLSearchParams({ ...range, language: language.value })
        return (
          <a key={`${month.year}-${month.month}`} href={`/v1/stores/${storeId}/cash/export.csv?${query}`} download>
            {formatMonth(range.from, timeZone)}
          </a>
        )
      })}
    </Menu>
  )
}
