// The yardstick: simdjson's on-demand parser reading the fields traceq top reads, one thread.
// Prints the number of events and a sum over what it read, so that nothing is optimised away.
#include <cstdio>
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace simdjson;

namespace {

struct Sums {
	uint64_t events = 0, bytes = 0, ids = 0;
	double times = 0;
};

void read_args(ondemand::object args, Sums &s)
{
	for (auto field : args) {
		std::string_view key = field.unescaped_key();
		if (key == "correlation" || key == "External id" || key == "device" ||
		    key == "stream") {
			uint64_t id;
			if (!field.value().get_uint64().get(id))
				s.ids += id;
		}
	}
}

void read_event(ondemand::object event, Sums &s)
{
	s.events++;
	for (auto field : event) {
		std::string_view key = field.unescaped_key();
		ondemand::value value = field.value();
		std::string_view text;
		double number;

		if (key == "name" || key == "cat" || key == "ph") {
			if (!value.get_string().get(text))
				s.bytes += text.size();
		} else if (key == "ts" || key == "dur") {
			if (!value.get_double().get(number))
				s.times += number;
		} else if (key == "pid" || key == "tid") {
			s.bytes += std::string_view(value.raw_json_token()).size();
		} else if (key == "args") {
			ondemand::object args;
			if (!value.get_object().get(args))
				read_args(args, s);
		}
	}
}

// The file without a copy, where its last page leaves room for the padding; else read into memory.
padded_string_view open_text(const char *path, padded_string &copy)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	long page = sysconf(_SC_PAGESIZE);

	if (fd >= 0 && fstat(fd, &st) == 0) {
		size_t n = static_cast<size_t>(st.st_size);
		size_t room = static_cast<size_t>(page) - n % static_cast<size_t>(page);

		if (room % static_cast<size_t>(page) >= SIMDJSON_PADDING) {
			void *p = mmap(nullptr, n, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);

			if (p != MAP_FAILED)
				return padded_string_view(static_cast<char *>(p), n, n + room);
		}
	}
	copy = padded_string::load(path);
	return copy;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 2) {
		std::fprintf(stderr, "usage: simdjson_reader FILE\n");
		return 2;
	}
	try {
		padded_string copy;
		padded_string_view text = open_text(argv[1], copy);
		ondemand::parser parser;
		ondemand::document document = parser.iterate(text);
		Sums s;

		for (auto event : document["traceEvents"])
			read_event(event.get_object(), s);
		std::printf("%llu events, %llu bytes, %llu ids, %.3f us\n",
			    static_cast<unsigned long long>(s.events),
			    static_cast<unsigned long long>(s.bytes),
			    static_cast<unsigned long long>(s.ids), s.times);
	} catch (const simdjson_error &e) {
		std::fprintf(stderr, "simdjson_reader: %s\n", e.what());
		return 2;
	}
	return 0;
}
