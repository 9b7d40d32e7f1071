import { Link, useLocation } from 'wouter-preact'
import { useStore } from '../../../session/store.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { Menu } from '../../../ui/menu.tsx'
import { isPhone } from '../../../ui/phone.ts'
import { language, t } from '../../../words/words.ts'
import { exportPath, type OrderFilters } from './filters/filters.ts'

interface ListHeadProps {
  readonly filters: OrderFilters
  readonly isChoosing: boolean
  /** False while something lies over the list. */
  readonly isActive: boolean
  /** Shows or hides the boxes that choose rows on a phone; absent for a user who may change nothing. */
  readonly onChoosing: ((isChoosing: boolean) => void) | undefined
}

/** Title of the list, and what can be done with all of it: buttons, or a menu on a phone. */
export function ListHead({ filters, isChoosing, isActive, onChoosing }: ListHeadProps) {
  const { storeId, can } = useStore()
  const [, go] = useLocation()
  const newOrder = can('changeOrder') ? `/${storeId}/orders/new` : undefined
  useKeys({ n: newOrder === undefined ? undefined : () => go(newOrder) }, { isActive })
  const exportLink = (name: string) =>
    can('exportOrders') && (
      <a class={name} href={exportPath(storeId, filters, language.value)} download>
        {t('orders.export')}
      </a>
    )
  return (
    <div class="page-head">
      <h1>{t('nav.orders')}</h1>
      {isPhone.value ? (
        <Menu label={t('orders.moreActions')} button={<Icon name="more" />}>
          {onChoosing && (
            <button type="button" aria-current={isChoosing ? 'true' : undefined} onClick={() => onChoosing(!isChoosing)}>
              {t('orders.chooseRows')}
            </button>
          )}
          {exportLink('')}
        </Menu>
      ) : (
        exportLink('button')
      )}
      {newOrder !== undefined && (
        <Link class="button primary" href={newOrder} aria-keyshortcuts="N">
          {t('order.new')}
        </Link>
      )}
    </div>
  )
}
