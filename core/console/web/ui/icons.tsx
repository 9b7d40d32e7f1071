/** Shapes of the icons, drawn in a square of 24. */
const paths = {
  home: 'M4 11 12 4l8 7v9h-5.5v-5h-5v5H4v-9Z',
  phone: 'M6.6 3.5 9 4l1.2 4-2 1.6a12 12 0 0 0 6.2 6.2l1.6-2 4 1.2.5 2.4a2 2 0 0 1-2 2.4C11 19.8 4.2 13 4.2 5.5a2 2 0 0 1 2.4-2Z',
  orders: 'M5 4h14v16l-3-2-2 2-2-2-2 2-2-2-3 2V4Zm4 5h6m-6 4h6',
  scan: 'M4 8V4h4m8 0h4v4m0 8v4h-4m-8 0H4v-4M8 8v8m3-8v8m3-8v8m2-8v8',
  send: 'M3 7l9-4 9 4v10l-9 4-9-4V7Zm0 0 9 4 9-4m-9 4v10',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.3 2.7-6 6-6s6 2.7 6 6m1-9.3a3 3 0 1 0-.8-5.9M17.5 14c2 .8 3.5 3 3.5 6',
  cash: 'M3 6.5h18v11H3v-11Zm9 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6 9.5v.01M18 14.5v.01',
  file: 'M6 3h8l4 4v14H6V3Zm8 0v4h4M9 12h6m-6 4h6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'm6 6 12 12M18 6 6 18',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.7-1.8L20 20',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0 0c-2.5-2.4-3.5-5.6-3.5-9S9.5 5.4 12 3c2.5 2.4 3.5 5.6 3.5 9s-1 6.6-3.5 9ZM3 12h18',
  back: 'M15 5l-7 7 7 7',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8.5c0-3.6 3.1-6.5 7-6.5s7 2.9 7 6.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  edit: 'm4 20 .8-4L16 4.8a1.7 1.7 0 0 1 2.4 0l.8.8a1.7 1.7 0 0 1 0 2.4L8 19.2 4 20Z',
} as const

/** Name of an icon. */
export type IconName = keyof typeof paths

/** Shows an icon in the colour of the text beside it. It is hidden from screen readers; its control has a name. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
      <path d={paths[name]} stroke-linecap="round" stroke-linejoin="round" class={name === 'back' ? 'mirrored' : undefined} />
    </svg>
  )
}
