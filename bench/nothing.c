/* A process that does nothing: what every process costs. */
int main(void) {
    return 0;
}
