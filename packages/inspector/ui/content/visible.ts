/** Every text of a server goes through one of these before it is shown. */
export { visible, visibleLine } from '@tenon/sdk/display'
